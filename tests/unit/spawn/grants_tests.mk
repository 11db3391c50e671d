# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/spawn/test_grants
tests_unit_spawn_test_grants_SOURCES = tests/unit/spawn/test_grants.c \
	tests/unit/spawn/grants_test.h
tests_unit_spawn_test_grants_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_grants

check_PROGRAMS += tests/unit/spawn/test_grants_open
tests_unit_spawn_test_grants_open_SOURCES = \
	tests/unit/spawn/test_grants_open.c tests/unit/spawn/grants_test.h
tests_unit_spawn_test_grants_open_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_grants_open

check_PROGRAMS += tests/unit/spawn/test_grants_refuse
tests_unit_spawn_test_grants_refuse_SOURCES = \
	tests/unit/spawn/test_grants_refuse.c tests/unit/spawn/grants_test.h
tests_unit_spawn_test_grants_refuse_LDADD = $(UNIT_LIBS) -lutil
TESTS += tests/unit/spawn/test_grants_refuse

check_PROGRAMS += tests/unit/spawn/test_connect
tests_unit_spawn_test_connect_SOURCES = tests/unit/spawn/test_connect.c
tests_unit_spawn_test_connect_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_connect

check_PROGRAMS += tests/unit/spawn/test_connect_resolve
tests_unit_spawn_test_connect_resolve_SOURCES = \
	tests/unit/spawn/test_connect_resolve.c
tests_unit_spawn_test_connect_resolve_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_connect_resolve
