# SPDX-License-Identifier: Apache-2.0
# A process that confines itself; after tests/live/live.mk, whose lists it uses.
check_PROGRAMS += tests/live/test_enter_self
tests_live_test_enter_self_SOURCES = tests/live/test_enter_self.c \
	tests/live/enter.h $(LIVE_SOURCES)
tests_live_test_enter_self_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_enter_self

check_PROGRAMS += tests/live/test_enter_held
tests_live_test_enter_held_SOURCES = tests/live/test_enter_held.c \
	tests/live/enter.h $(LIVE_SOURCES)
tests_live_test_enter_held_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_enter_held

check_PROGRAMS += tests/unit/spawn/test_syscall_set
tests_unit_spawn_test_syscall_set_SOURCES = tests/unit/spawn/test_syscall_set.c
tests_unit_spawn_test_syscall_set_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_syscall_set
