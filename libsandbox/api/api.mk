# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += libsandbox/api/mandate.c \
	libsandbox/api/policy.c libsandbox/api/spawn.c
