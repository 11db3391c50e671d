# SPDX-License-Identifier: Apache-2.0
# Mechanisms; most are the helper's alone (libsandbox/init/init.mk), these
# are needed by the harness too.
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/kernel/build_id.h libsandbox/kernel/handoff.h \
	libsandbox/kernel/host_files.h \
	libsandbox/kernel/ids.c libsandbox/kernel/ids.h \
	libsandbox/kernel/landlock.c libsandbox/kernel/landlock.h \
	libsandbox/kernel/mount.h libsandbox/kernel/plan.h \
	libsandbox/kernel/property_names.h libsandbox/kernel/privileges.h libsandbox/kernel/process.h \
	libsandbox/kernel/rlimits.h \
	libsandbox/kernel/source.c libsandbox/kernel/source.h
