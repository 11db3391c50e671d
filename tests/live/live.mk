# SPDX-License-Identifier: Apache-2.0
# Live tests: real tasks, on the library as its users link it.  The programs
# of in/ run inside of jails; they are plain, whatever the library is built
# with, and fds is static so that it holds what execve gave it.
LIVE_SOURCES = \
	tests/live/ledger.c \
	tests/live/ledger.h \
	tests/live/live.c \
	tests/live/live.h \
	tests/live/no_userns.h
LIVE_IN_CFLAGS = -std=gnu11 -Wall -Wextra

# As many spawns in one process as "make check" has time for.
AM_TESTS_ENVIRONMENT += \
	SBX_FLAT_N="$${SBX_FLAT_N-1000}"; export SBX_FLAT_N;

check_PROGRAMS += tests/live/test_spawn
tests_live_test_spawn_SOURCES = tests/live/test_spawn.c \
	$(LIVE_SOURCES)
tests_live_test_spawn_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_spawn

check_PROGRAMS += tests/live/test_descriptors
tests_live_test_descriptors_SOURCES = tests/live/test_descriptors.c \
	$(LIVE_SOURCES)
tests_live_test_descriptors_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_descriptors

check_PROGRAMS += tests/live/test_lifecycle
tests_live_test_lifecycle_SOURCES = tests/live/test_lifecycle.c \
	$(LIVE_SOURCES)
tests_live_test_lifecycle_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_lifecycle

check_PROGRAMS += tests/live/test_limits
tests_live_test_limits_SOURCES = tests/live/test_limits.c \
	$(LIVE_SOURCES)
tests_live_test_limits_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_limits

check_PROGRAMS += tests/live/test_grants_live
tests_live_test_grants_live_SOURCES = tests/live/test_grants_live.c \
	$(LIVE_SOURCES)
tests_live_test_grants_live_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_grants_live

check_PROGRAMS += tests/live/test_bad_input
tests_live_test_bad_input_SOURCES = tests/live/test_bad_input.c \
	$(LIVE_SOURCES)
tests_live_test_bad_input_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_bad_input

check_PROGRAMS += tests/live/test_denials
tests_live_test_denials_SOURCES = tests/live/test_denials.c $(LIVE_SOURCES)
tests_live_test_denials_LDADD = $(LIVE_LIBS)
TESTS += tests/live/test_denials

check_PROGRAMS += tests/live/test_signals
tests_live_test_signals_SOURCES = tests/live/test_signals.c $(LIVE_SOURCES)
tests_live_test_signals_LDADD = $(LIVE_LIBS)
TESTS += tests/live/test_signals tests/live/old_landlock.sh
EXTRA_DIST += tests/live/old_landlock.sh

check_PROGRAMS += tests/live/test_harness_unchanged
tests_live_test_harness_unchanged_SOURCES = tests/live/test_harness_unchanged.c \
	$(LIVE_SOURCES)
tests_live_test_harness_unchanged_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_harness_unchanged

check_PROGRAMS += tests/live/test_isolation
tests_live_test_isolation_SOURCES = tests/live/test_isolation.c \
	$(LIVE_SOURCES)
tests_live_test_isolation_LDADD = $(LIVE_LIBS) -lpthread
TESTS += tests/live/test_isolation

check_PROGRAMS += tests/live/stress_asan
tests_live_stress_asan_SOURCES = tests/live/stress_asan.c \
	tests/live/ledger.c tests/live/ledger.h \
	tests/live/storm.c tests/live/storm.h
tests_live_stress_asan_LDADD = libsandbox/libsandbox.la -lpthread
TESTS += tests/live/stress_asan

check_PROGRAMS += tests/live/tsan_spawn
tests_live_tsan_spawn_SOURCES = tests/live/tsan_spawn.c \
	tests/live/ledger.c tests/live/ledger.h \
	tests/live/storm.c tests/live/storm.h
tests_live_tsan_spawn_LDADD = libsandbox/libsandbox.la -lpthread
TESTS += tests/live/tsan_spawn

check_PROGRAMS += tests/live/flat_10000
tests_live_flat_10000_SOURCES = tests/live/flat_10000.c \
	tests/live/ledger.c tests/live/ledger.h
tests_live_flat_10000_LDADD = libsandbox/libsandbox.la -lpthread
TESTS += tests/live/flat_10000

check_PROGRAMS += tests/live/in/burn
tests_live_in_burn_SOURCES = tests/live/in/burn.c tests/live/in/in.h
tests_live_in_burn_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_burn_LDFLAGS =

check_PROGRAMS += tests/live/in/daemonize
tests_live_in_daemonize_SOURCES = tests/live/in/daemonize.c tests/live/in/in.h
tests_live_in_daemonize_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_daemonize_LDFLAGS =

check_PROGRAMS += tests/live/in/fds
tests_live_in_fds_SOURCES = tests/live/in/fds.c tests/live/in/in.h
tests_live_in_fds_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_fds_LDFLAGS = -all-static

check_PROGRAMS += tests/live/in/forkbomb-bounded
tests_live_in_forkbomb_bounded_SOURCES = tests/live/in/forkbomb-bounded.c tests/live/in/in.h
tests_live_in_forkbomb_bounded_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_forkbomb_bounded_LDFLAGS =

check_PROGRAMS += tests/live/in/memory
tests_live_in_memory_SOURCES = tests/live/in/memory.c tests/live/in/in.h
tests_live_in_memory_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_memory_LDFLAGS =

check_PROGRAMS += tests/live/in/numbers
tests_live_in_numbers_SOURCES = tests/live/in/numbers.c tests/live/in/in.h
tests_live_in_numbers_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_numbers_LDFLAGS = -pthread

check_PROGRAMS += tests/live/in/openfiles
tests_live_in_openfiles_SOURCES = tests/live/in/openfiles.c tests/live/in/in.h
tests_live_in_openfiles_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_openfiles_LDFLAGS =

check_PROGRAMS += tests/live/in/reach
tests_live_in_reach_SOURCES = tests/live/in/reach.c tests/live/in/in.h
tests_live_in_reach_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_reach_LDFLAGS =

check_PROGRAMS += tests/live/in/sealed
tests_live_in_sealed_SOURCES = tests/live/in/sealed.c tests/live/in/in.h
tests_live_in_sealed_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_sealed_LDFLAGS =

check_PROGRAMS += tests/live/in/signals
tests_live_in_signals_SOURCES = tests/live/in/signals.c tests/live/in/in.h
tests_live_in_signals_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_signals_LDFLAGS = -pthread

check_PROGRAMS += tests/live/in/suid
tests_live_in_suid_SOURCES = tests/live/in/suid.c tests/live/in/in.h
tests_live_in_suid_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_suid_LDFLAGS =

check_PROGRAMS += tests/live/in/sweep
tests_live_in_sweep_SOURCES = tests/live/in/sweep.c tests/live/in/in.h
tests_live_in_sweep_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_sweep_LDFLAGS =

check_PROGRAMS += tests/live/in/trace
tests_live_in_trace_SOURCES = tests/live/in/trace.c tests/live/in/in.h
tests_live_in_trace_CFLAGS = $(LIVE_IN_CFLAGS)
tests_live_in_trace_LDFLAGS =

# Each step of a spawn made to fail; the library must be built for it.
if FAULT_INJECTION
check_PROGRAMS += tests/fault/fault_matrix
tests_fault_fault_matrix_SOURCES = tests/fault/fault_matrix.c \
	tests/live/ledger.c tests/live/ledger.h tests/live/no_userns.h
tests_fault_fault_matrix_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/live
tests_fault_fault_matrix_LDADD = $(UNIT_LIBS)
TESTS += tests/fault/fault_matrix
endif
