# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/spawn/denials.c libsandbox/spawn/denials.h \
	libsandbox/spawn/helper.c \
	libsandbox/spawn/launch.c libsandbox/spawn/launch.h \
	libsandbox/spawn/launch_child.c libsandbox/spawn/launch_child.h \
	libsandbox/spawn/payload.c libsandbox/spawn/payload.h \
	libsandbox/spawn/prepare.c libsandbox/spawn/prepare.h \
	libsandbox/spawn/sockets.c libsandbox/spawn/sockets.h \
	libsandbox/spawn/spawn.c libsandbox/spawn/spawn.h \
	libsandbox/spawn/start.c libsandbox/spawn/start.h \
	libsandbox/spawn/streams.c libsandbox/spawn/streams.h \
	libsandbox/spawn/task.c libsandbox/spawn/task.h \
	libsandbox/spawn/tier.c libsandbox/spawn/tier.h

# The helper as data.  A rule of our own, since it depends on the program.
libsandbox_libsbxcore_la_LIBADD += libsandbox/spawn/helper_blob.lo
libsandbox/spawn/helper_blob.lo: $(srcdir)/libsandbox/spawn/helper_blob.S \
		libsandbox/init/sbx-init
	$(AM_V_CC)$(MKDIR_P) libsandbox/spawn && $(LIBTOOL) $(AM_V_lt) \
		--tag=CC --mode=compile $(CC) \
		-DSBX_HELPER_FILE='"libsandbox/init/sbx-init"' \
		-c -o $@ $(srcdir)/libsandbox/spawn/helper_blob.S
EXTRA_DIST += libsandbox/spawn/helper_blob.S
CLEANFILES += libsandbox/spawn/helper_blob.lo libsandbox/spawn/helper_blob.o \
	libsandbox/spawn/.libs/helper_blob.o
