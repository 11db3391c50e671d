# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/spawn/test_report
tests_unit_spawn_test_report_SOURCES = tests/unit/spawn/test_report.c
tests_unit_spawn_test_report_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_report

check_PROGRAMS += tests/unit/spawn/test_probe_report
tests_unit_spawn_test_probe_report_SOURCES = \
	tests/unit/spawn/test_probe_report.c
tests_unit_spawn_test_probe_report_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/spawn/test_probe_report

check_PROGRAMS += tests/live/test_probe
tests_live_test_probe_SOURCES = tests/live/test_probe.c
tests_live_test_probe_LDADD = $(UNIT_LIBS)
TESTS += tests/live/test_probe
