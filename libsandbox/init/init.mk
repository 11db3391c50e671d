# SPDX-License-Identifier: Apache-2.0
# The helper: one static program of its own sources and the few of base/ and
# kernel/ that it needs.  It has a compiler and flags of its own, so it is
# built by a rule of ours and in one go, which lets the linker drop the rest.
HELPER_C = \
	libsandbox/base/closefrom.c \
	libsandbox/base/fdmsg.c \
	libsandbox/base/memfd.c \
	libsandbox/base/rmtree.c \
	libsandbox/init/behalf.c \
	libsandbox/init/behalf_metadata.c \
	libsandbox/init/behalf_names.c \
	libsandbox/init/behalf_open.c \
	libsandbox/init/behalf_own.c \
	libsandbox/init/behalf_peer.c \
	libsandbox/init/behalf_reads.c \
	libsandbox/init/behalf_signals.c \
	libsandbox/init/behalf_sockets.c \
	libsandbox/init/call.c \
	libsandbox/init/canary.c \
	libsandbox/init/descent.c \
	libsandbox/init/dev.c \
	libsandbox/init/etc.c \
	libsandbox/init/exec.c \
	libsandbox/init/hand.c \
	libsandbox/init/idmap.c \
	libsandbox/init/judge.c \
	libsandbox/init/lend.c \
	libsandbox/init/main.c \
	libsandbox/init/note.c \
	libsandbox/init/paths.c \
	libsandbox/init/place.c \
	libsandbox/init/probe.c \
	libsandbox/init/probe_cause.c \
	libsandbox/init/probe_confine.c \
	libsandbox/init/probe_mounts.c \
	libsandbox/init/probe_namespaces.c \
	libsandbox/init/probe_process.c \
	libsandbox/init/proc.c \
	libsandbox/init/relay.c \
	libsandbox/init/root.c \
	libsandbox/init/rows.c \
	libsandbox/init/run.c \
	libsandbox/init/supervise.c \
	libsandbox/init/target.c \
	libsandbox/init/tell.c \
	libsandbox/init/tier_a.c \
	libsandbox/init/tier_b.c \
	libsandbox/init/tree.c \
	libsandbox/init/trust.c \
	libsandbox/init/usage.c \
	libsandbox/init/usage_proc.c \
	libsandbox/init/usage_tree.c \
	libsandbox/init/where.c \
	libsandbox/kernel/ids.c \
	libsandbox/kernel/landlock.c \
	libsandbox/kernel/mount.c \
	libsandbox/kernel/privileges.c \
	libsandbox/kernel/process.c \
	libsandbox/kernel/rlimits.c \
	libsandbox/kernel/seccomp_enter.c \
	libsandbox/kernel/source.c
HELPER_H = \
	libsandbox/init/behalf.h libsandbox/init/behalf_peer.h \
	libsandbox/init/call.h libsandbox/init/descent.h \
	libsandbox/init/tell.h libsandbox/init/trust.h libsandbox/init/where.h \
	libsandbox/init/jail.h libsandbox/init/lend.h libsandbox/init/paths.h \
	libsandbox/init/place.h libsandbox/init/probe.h libsandbox/init/relay.h libsandbox/init/target.h \
	libsandbox/init/tree.h libsandbox/init/usage.h \
	libsandbox/init/usage_proc.h libsandbox/init/usage_tree.h
HELPER_FLAGS = -std=gnu11 -D_GNU_SOURCE -Os -static -fno-asynchronous-unwind-tables \
	-ffunction-sections -fdata-sections -fvisibility=hidden \
	-Wall -Wextra -Wshadow -Wvla -Wmissing-prototypes \
	-Wl,--gc-sections -Wl,-z,relro -Wl,-z,noexecstack -s

# Names that others trust, as strings of C.
libsandbox/init/trust_list.h: $(srcdir)/share/trust.list
	$(AM_V_GEN)$(MKDIR_P) libsandbox/init && \
	sed -n '/^[^#]/s|.*|"&",|p' $(srcdir)/share/trust.list >$@
dist_pkgdata_DATA += share/trust.list
CLEANFILES += libsandbox/init/trust_list.h
BUILT_SOURCES += libsandbox/init/trust_list.h

libsandbox/init/sbx-init: $(HELPER_C) $(HELPER_H) \
		libsandbox/init/trust_list.h \
		$(sandboxinclude_HEADERS) $(libsandbox_libsbxcore_la_SOURCES)
	$(AM_V_CCLD)$(MKDIR_P) libsandbox/init && \
	$(HELPER_CC) $(HELPER_FLAGS) $(HELPER_CFLAGS) $(HELPER_FAULT) \
		-DSBX_VERSION='"$(PACKAGE_VERSION)"' \
		$(HELPER_INCLUDES) -I$(top_srcdir)/include \
		-Ilibsandbox \
		-I$(top_srcdir)/libsandbox -o $@ \
		$(HELPER_C:%=$(top_srcdir)/%)

pkglibexec_SCRIPTS = libsandbox/init/sbx-init
CLEANFILES += libsandbox/init/sbx-init
EXTRA_DIST += $(HELPER_C) $(HELPER_H) \
	libsandbox/kernel/mount.c
