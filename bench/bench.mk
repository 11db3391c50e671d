# SPDX-License-Identifier: Apache-2.0
# What a task costs; run by hand, never part of a test's verdict.
EXTRA_PROGRAMS = bench/bench_spawn
bench_bench_spawn_SOURCES = bench/bench_spawn.c
bench_bench_spawn_LDADD = libsandbox/libsandbox.la
CLEANFILES += bench/bench_spawn bench/true

# libtool would take -static for its own; the task is a bare static program.
bench/true$(EXEEXT): $(srcdir)/bench/true.c
	$(AM_V_CCLD)$(MKDIR_P) bench && $(HELPER_CC) -Os -static -s \
		-o $@ $(srcdir)/bench/true.c

bench: all bench/bench_spawn bench/true
	bench/bench_spawn bench/true
EXTRA_DIST += bench/README.md bench/true.c
