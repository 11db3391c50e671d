# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/spawn/connect.c libsandbox/spawn/connect.h \
	libsandbox/spawn/connect_resolve.c \
	libsandbox/spawn/connect_target.c \
	libsandbox/spawn/grants.c libsandbox/spawn/grants.h \
	libsandbox/spawn/grants_open.c libsandbox/spawn/grants_open.h \
	libsandbox/spawn/grants_refuse.c
