# SPDX-License-Identifier: Apache-2.0
# Reports, and the harness's side of the probe.
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/api/report.c \
	libsandbox/spawn/probe.c \
	libsandbox/spawn/probe.h \
	libsandbox/spawn/probe_report.c \
	libsandbox/spawn/report.c \
	libsandbox/spawn/report.h \
	libsandbox/spawn/report_json.c
