# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/kernel/bpf_asm.c \
	libsandbox/kernel/bpf_asm.h \
	libsandbox/kernel/seccomp.c \
	libsandbox/kernel/seccomp.h \
	libsandbox/kernel/seccomp_args.c \
	libsandbox/kernel/seccomp_enter.c \
	libsandbox/kernel/seccomp_sets.c \
	libsandbox/kernel/seccomp_sets.h
EXTRA_DIST += docs/syscalls.md
