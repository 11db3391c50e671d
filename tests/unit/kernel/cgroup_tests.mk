# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/kernel/test_cgroup
tests_unit_kernel_test_cgroup_SOURCES = tests/unit/kernel/test_cgroup.c
tests_unit_kernel_test_cgroup_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_cgroup
