# SPDX-License-Identifier: Apache-2.0
# Sources are listed once, in a convenience library that the product and the
# tests both link; only the product has the map of exported names.
noinst_LTLIBRARIES += libsandbox/libsbxcore.la
libsandbox_libsbxcore_la_SOURCES =
libsandbox_libsbxcore_la_LIBADD =
libsandbox_libsbxcore_la_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS) \
	$(JANSSON_CFLAGS) $(CARES_CFLAGS) -pthread

include libsandbox/base/base.mk
include libsandbox/kernel/kernel.mk
include libsandbox/kernel/seccomp.mk
include libsandbox/kernel/cgroup.mk
include libsandbox/policy/policy.mk
include libsandbox/spawn/spawn.mk
include libsandbox/spawn/grants.mk
include libsandbox/spawn/report.mk
include libsandbox/spawn/enter_self.mk
include libsandbox/init/init.mk
include libsandbox/api/api.mk

SBX_DEPENDENCIES = $(SECCOMP_LIBS) $(JANSSON_LIBS) $(CARES_LIBS) -lpthread

lib_LTLIBRARIES += libsandbox/libsandbox.la
libsandbox_libsandbox_la_SOURCES =
libsandbox_libsandbox_la_LIBADD = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES)
libsandbox_libsandbox_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined \
	-version-info $(SBX_LT_VERSION) \
	-Wl,--version-script=$(top_srcdir)/libsandbox/libsandbox.map
libsandbox_libsandbox_la_DEPENDENCIES = libsandbox/libsbxcore.la \
	libsandbox/libsandbox.map
EXTRA_DIST += libsandbox/libsandbox.map
