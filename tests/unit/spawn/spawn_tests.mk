# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/spawn/test_denials
tests_unit_spawn_test_denials_SOURCES = tests/unit/spawn/test_denials.c
tests_unit_spawn_test_denials_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_denials

check_PROGRAMS += tests/unit/spawn/test_payload
tests_unit_spawn_test_payload_SOURCES = tests/unit/spawn/test_payload.c \
	tests/unit/base/help.h
tests_unit_spawn_test_payload_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_payload

check_PROGRAMS += tests/unit/spawn/test_sockets
tests_unit_spawn_test_sockets_SOURCES = tests/unit/spawn/test_sockets.c \
	tests/unit/base/help.h
tests_unit_spawn_test_sockets_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_sockets

check_PROGRAMS += tests/unit/spawn/test_streams
tests_unit_spawn_test_streams_SOURCES = tests/unit/spawn/test_streams.c \
	tests/unit/base/help.h
tests_unit_spawn_test_streams_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_streams
