# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/kernel/test_ids
tests_unit_kernel_test_ids_SOURCES = tests/unit/kernel/test_ids.c \
	tests/unit/base/help.h
tests_unit_kernel_test_ids_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_ids

check_PROGRAMS += tests/unit/kernel/test_landlock
tests_unit_kernel_test_landlock_SOURCES = tests/unit/kernel/test_landlock.c \
	tests/unit/base/help.h
tests_unit_kernel_test_landlock_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_landlock

check_PROGRAMS += tests/unit/kernel/test_source
tests_unit_kernel_test_source_SOURCES = tests/unit/kernel/test_source.c \
	tests/unit/base/help.h
tests_unit_kernel_test_source_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/kernel/test_source
