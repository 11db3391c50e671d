# SPDX-License-Identifier: Apache-2.0
# Does a jail hold what its policy says?  The probe is static, so that it runs
# wherever it can be executed at all, and plain, whatever the library is built
# with.
check_PROGRAMS += tests/containment/probe
tests_containment_probe_SOURCES = \
	tests/containment/files.c \
	tests/containment/grants.c \
	tests/containment/ipc.c \
	tests/containment/leaks.c \
	tests/containment/network.c \
	tests/containment/privileges.c \
	tests/containment/probe.c \
	tests/containment/probe.h \
	tests/containment/processes.c \
	tests/containment/resources.c \
	tests/containment/sockets.c \
	tests/containment/surface.c \
	tests/containment/trust.c \
	tests/containment/work.c \
	tests/containment/work_ipc.c
tests_containment_probe_CFLAGS = -std=gnu11 -Wall -Wextra
tests_containment_probe_LDFLAGS = -all-static
tests_containment_probe_LDADD = -lutil -lrt -lpthread

TESTS += tests/containment/containment.sh
EXTRA_DIST += \
	tests/containment/containment.sh \
	tests/containment/judge.py \
	tests/containment/probes.tsv \
	tests/containment/run.py \
	tests/containment/tier-b.skip \
	tests/containment/watch.py \
	tests/containment/world.py
