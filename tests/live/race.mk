# SPDX-License-Identifier: Apache-2.0
# Spawns against a process of the host that swaps what a path leads through.
check_PROGRAMS += tests/live/test_race
tests_live_test_race_SOURCES = tests/live/test_race.c \
	$(LIVE_SOURCES)
tests_live_test_race_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_race
