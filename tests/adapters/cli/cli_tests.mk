# SPDX-License-Identifier: Apache-2.0
# Tests of sbx-exec and sbx-doctor: the programs as a whole, and the parts
# that only read text, by unit tests that compile the sources straight in.

CLI_SHELL_TESTS = \
	tests/adapters/cli/options.sh \
	tests/adapters/cli/exit_status.sh \
	tests/adapters/cli/status_fd.sh \
	tests/adapters/cli/report.sh \
	tests/adapters/cli/stdio.sh \
	tests/adapters/cli/signals.sh \
	tests/adapters/cli/grants.sh \
	tests/adapters/cli/tty.sh \
	tests/adapters/cli/in_place.sh \
	tests/adapters/cli/explain.sh \
	tests/adapters/cli/denial.sh \
	tests/adapters/cli/doctor.sh

TESTS += $(CLI_SHELL_TESTS)
EXTRA_DIST += $(CLI_SHELL_TESTS) \
	tests/adapters/cli/tap.sh \
	tests/adapters/cli/tty_cases.py

if HAVE_CRITERION
CLI_TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/harness-adapters/cli
CLI_TEXT_SOURCES = \
	harness-adapters/cli/message.c \
	harness-adapters/cli/message.h \
	harness-adapters/cli/text.c \
	harness-adapters/cli/text.h

check_PROGRAMS += tests/unit/cli/test_number
tests_unit_cli_test_number_SOURCES = tests/unit/cli/test_number.c \
	harness-adapters/cli/number.c harness-adapters/cli/number.h
tests_unit_cli_test_number_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_number_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_number

check_PROGRAMS += tests/unit/cli/test_path
tests_unit_cli_test_path_SOURCES = tests/unit/cli/test_path.c \
	harness-adapters/cli/path.c harness-adapters/cli/path.h
tests_unit_cli_test_path_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_path_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_path

check_PROGRAMS += tests/unit/cli/test_status
tests_unit_cli_test_status_SOURCES = tests/unit/cli/test_status.c \
	harness-adapters/cli/status.c harness-adapters/cli/status.h \
	$(CLI_TEXT_SOURCES)
tests_unit_cli_test_status_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_status_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_status

check_PROGRAMS += tests/unit/cli/test_denial_task
tests_unit_cli_test_denial_task_SOURCES = tests/unit/cli/test_denial_task.c \
	harness-adapters/cli/denial_task.c harness-adapters/cli/denial.h \
	harness-adapters/cli/path.c harness-adapters/cli/path.h \
	harness-adapters/cli/path_fit.c
tests_unit_cli_test_denial_task_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_denial_task_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_denial_task

check_PROGRAMS += tests/unit/cli/test_denial
tests_unit_cli_test_denial_SOURCES = tests/unit/cli/test_denial.c \
	harness-adapters/cli/denial.c harness-adapters/cli/denial.h \
	harness-adapters/cli/status.c harness-adapters/cli/status.h \
	$(CLI_TEXT_SOURCES)
tests_unit_cli_test_denial_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_denial_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_denial

check_PROGRAMS += tests/unit/cli/test_options
tests_unit_cli_test_options_SOURCES = tests/unit/cli/test_options.c \
	harness-adapters/cli/grantopt.c harness-adapters/cli/grantopt.h \
	harness-adapters/cli/number.c harness-adapters/cli/number.h \
	harness-adapters/cli/optdefs.c harness-adapters/cli/optdefs.h \
	harness-adapters/cli/options.c harness-adapters/cli/options.h \
	harness-adapters/cli/path.c harness-adapters/cli/path.h \
	$(CLI_TEXT_SOURCES)
tests_unit_cli_test_options_CPPFLAGS = $(CLI_TEST_CPPFLAGS)
tests_unit_cli_test_options_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/cli/test_options
endif
