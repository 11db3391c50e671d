# SPDX-License-Identifier: Apache-2.0
# sbx-exec, sbx-doctor and sbx-ask.

bin_PROGRAMS += sbx-exec sbx-doctor sbx-ask

CLI_CPPFLAGS = $(AM_CPPFLAGS) -DSBX_VERSION='"$(PACKAGE_VERSION)"'

sbx_exec_SOURCES = \
	harness-adapters/cli/build.c \
	harness-adapters/cli/build.h \
	harness-adapters/cli/denial.c harness-adapters/cli/denial.h \
	harness-adapters/cli/denial_args.c \
	harness-adapters/cli/denial_args.h \
	harness-adapters/cli/denial_task.c \
	harness-adapters/cli/explain.c \
	harness-adapters/cli/explain.h \
	harness-adapters/cli/grantopt.c \
	harness-adapters/cli/grantopt.h \
	harness-adapters/cli/inplace.c \
	harness-adapters/cli/inplace.h \
	harness-adapters/cli/message.c \
	harness-adapters/cli/message.h \
	harness-adapters/cli/number.c \
	harness-adapters/cli/number.h \
	harness-adapters/cli/optdefs.c \
	harness-adapters/cli/optdefs.h \
	harness-adapters/cli/options.c \
	harness-adapters/cli/options.h \
	harness-adapters/cli/path.c harness-adapters/cli/path_fit.c \
	harness-adapters/cli/path.h \
	harness-adapters/cli/pty.c \
	harness-adapters/cli/pty.h \
	harness-adapters/cli/relay.c \
	harness-adapters/cli/relay.h \
	harness-adapters/cli/report.c \
	harness-adapters/cli/report.h \
	harness-adapters/cli/run.c \
	harness-adapters/cli/run.h \
	harness-adapters/cli/sbx-exec.c \
	harness-adapters/cli/signals.c \
	harness-adapters/cli/signals.h \
	harness-adapters/cli/status.c \
	harness-adapters/cli/status.h \
	harness-adapters/cli/stdfds.c \
	harness-adapters/cli/stdfds.h \
	harness-adapters/cli/table.c \
	harness-adapters/cli/table.h \
	harness-adapters/cli/text.c \
	harness-adapters/cli/text.h \
	harness-adapters/cli/usage.c \
	harness-adapters/cli/usage.h
sbx_exec_CPPFLAGS = $(CLI_CPPFLAGS)
sbx_exec_LDADD = libsandbox/libsandbox.la

sbx_doctor_SOURCES = \
	harness-adapters/cli/message.c \
	harness-adapters/cli/message.h \
	harness-adapters/cli/sbx-doctor.c \
	harness-adapters/cli/stdfds.c \
	harness-adapters/cli/stdfds.h \
	harness-adapters/cli/table.c \
	harness-adapters/cli/table.h \
	harness-adapters/cli/text.c \
	harness-adapters/cli/text.h
sbx_doctor_CPPFLAGS = $(CLI_CPPFLAGS)
sbx_doctor_LDADD = libsandbox/libsandbox.la

# It runs inside of jails, which may not see where libraries are installed.
sbx_ask_SOURCES = \
	harness-adapters/cli/askopt.c \
	harness-adapters/cli/askopt.h \
	harness-adapters/cli/askrun.c \
	harness-adapters/cli/askrun.h \
	harness-adapters/cli/number.c \
	harness-adapters/cli/number.h \
	harness-adapters/cli/sbx-ask.c \
	harness-adapters/cli/stdfds.c \
	harness-adapters/cli/stdfds.h \
	harness-adapters/cli/text.c \
	harness-adapters/cli/text.h
sbx_ask_CPPFLAGS = $(CLI_CPPFLAGS)
sbx_ask_LDADD = libsandbox/libsbxclient.la

dist_man_MANS += docs/man/sbx-exec.1 docs/man/sbx-doctor.1 docs/man/sbx-ask.1
