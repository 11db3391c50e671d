# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/kernel/test_seccomp
tests_unit_kernel_test_seccomp_SOURCES = \
	tests/unit/kernel/test_seccomp.c \
	tests/unit/kernel/bpf_vm.c \
	tests/unit/kernel/bpf_vm.h
tests_unit_kernel_test_seccomp_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_seccomp

check_PROGRAMS += tests/unit/kernel/test_seccomp_args
tests_unit_kernel_test_seccomp_args_SOURCES = \
	tests/unit/kernel/test_seccomp_args.c \
	tests/unit/kernel/seccomp_attempts.c \
	tests/unit/kernel/seccomp_attempts.h \
	tests/unit/kernel/bpf_vm.c \
	tests/unit/kernel/bpf_vm.h
tests_unit_kernel_test_seccomp_args_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_seccomp_args

check_PROGRAMS += tests/unit/kernel/test_seccomp_sockets
tests_unit_kernel_test_seccomp_sockets_SOURCES = \
	tests/unit/kernel/test_seccomp_sockets.c \
	tests/unit/kernel/seccomp_attempts.c \
	tests/unit/kernel/seccomp_attempts.h \
	tests/unit/kernel/bpf_vm.c \
	tests/unit/kernel/bpf_vm.h
tests_unit_kernel_test_seccomp_sockets_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_seccomp_sockets

check_PROGRAMS += tests/live/test_seccomp_live
tests_live_test_seccomp_live_SOURCES = tests/live/test_seccomp_live.c
tests_live_test_seccomp_live_LDADD = $(UNIT_LIBS)
TESTS += tests/live/test_seccomp_live

check_PROGRAMS += tests/unit/kernel/test_bpf_asm
tests_unit_kernel_test_bpf_asm_SOURCES = \
	tests/unit/kernel/test_bpf_asm.c \
	tests/unit/kernel/bpf_vm.c \
	tests/unit/kernel/bpf_vm.h
tests_unit_kernel_test_bpf_asm_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_bpf_asm
