# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/base/cleanup.h libsandbox/base/clock.h \
	libsandbox/base/closefrom.c libsandbox/base/closefrom.h \
	libsandbox/base/errors.c libsandbox/base/errors.h \
	libsandbox/base/fault.c libsandbox/base/fault.h \
	libsandbox/base/fd.h \
	libsandbox/base/fdmsg.c libsandbox/base/fdmsg.h \
	libsandbox/base/kconst.h \
	libsandbox/base/memfd.c libsandbox/base/memfd.h \
	libsandbox/base/rawcall.h \
	libsandbox/base/rmtree.c libsandbox/base/rmtree.h \
	libsandbox/base/text.h \
	libsandbox/base/wire.c libsandbox/base/wire.h \
	libsandbox/base/wire_bytes.h \
	libsandbox/base/wire_check.c \
	libsandbox/base/wire_msg.c \
	libsandbox/base/wire_write.c
