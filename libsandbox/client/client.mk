# SPDX-License-Identifier: Apache-2.0
# libsandbox-client: what runs inside a task.  It is built of base/ and needs
# libc only.  Sources once, for the library, for sbx-ask and for the tests.
CLIENT_SOURCES = \
	libsandbox/base/fdmsg.c \
	libsandbox/base/fdmsg.h \
	libsandbox/base/wire.c \
	libsandbox/base/wire.h \
	libsandbox/base/wire_bytes.h \
	libsandbox/base/wire_check.c \
	libsandbox/base/wire_msg.c \
	libsandbox/base/wire_write.c \
	libsandbox/client/answer.c \
	libsandbox/client/ask.c \
	libsandbox/client/channel.c \
	libsandbox/client/client.h \
	libsandbox/client/delegate.c \
	libsandbox/client/fail.c \
	libsandbox/client/open.c \
	libsandbox/client/simple.c

noinst_LTLIBRARIES += libsandbox/libsbxclient.la
libsandbox_libsbxclient_la_SOURCES = $(CLIENT_SOURCES)
libsandbox_libsbxclient_la_CFLAGS = $(AM_CFLAGS)

lib_LTLIBRARIES += libsandbox/libsandbox-client.la
libsandbox_libsandbox_client_la_SOURCES =
libsandbox_libsandbox_client_la_LIBADD = libsandbox/libsbxclient.la
libsandbox_libsandbox_client_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined \
	-version-info $(SBX_LT_VERSION) \
	-Wl,--version-script=$(top_srcdir)/libsandbox/libsandbox-client.map
libsandbox_libsandbox_client_la_DEPENDENCIES = libsandbox/libsbxclient.la \
	libsandbox/libsandbox-client.map
EXTRA_DIST += libsandbox/libsandbox-client.map

# A program that is to run in any jail carries it; where libtool makes static
# libraries, it makes this one.
if OWN_CLIENT_ARCHIVE
lib_LIBRARIES += libsandbox/libsandbox-client.a
libsandbox_libsandbox_client_a_SOURCES = $(CLIENT_SOURCES)
libsandbox_libsandbox_client_a_CFLAGS = $(AM_CFLAGS)
endif
