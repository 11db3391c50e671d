# SPDX-License-Identifier: Apache-2.0
# A process that confines itself needs what else only the helper has.
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/api/enter_self.c \
	libsandbox/api/syscalls.c \
	libsandbox/kernel/privileges.c \
	libsandbox/kernel/rlimits.c \
	libsandbox/spawn/enter_rows.c \
	libsandbox/spawn/enter_self.c libsandbox/spawn/enter_self.h \
	libsandbox/spawn/held.c libsandbox/spawn/held.h
