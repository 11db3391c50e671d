# SPDX-License-Identifier: Apache-2.0
# Fuzz targets, for clang: ./configure --enable-fuzzing --disable-shared.
if FUZZING
noinst_PROGRAMS += tests/fuzz/fuzz_policy
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c
tests_fuzz_fuzz_policy_LDADD = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES)
tests_fuzz_fuzz_policy_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

noinst_PROGRAMS += tests/fuzz/fuzz_match
tests_fuzz_fuzz_match_SOURCES = tests/fuzz/fuzz_match.c
tests_fuzz_fuzz_match_LDADD = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES)
tests_fuzz_fuzz_match_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

FUZZ_SECONDS = 60
fuzz: tests/fuzz/fuzz_policy tests/fuzz/fuzz_match
	$(MKDIR_P) fuzz-corpus/policy fuzz-corpus/match
	tests/fuzz/fuzz_match -max_total_time=$(FUZZ_SECONDS) \
		fuzz-corpus/match $(srcdir)/tests/fuzz/corpus/match
	tests/fuzz/fuzz_policy -max_total_time=$(FUZZ_SECONDS) \
		fuzz-corpus/policy $(srcdir)/tests/fuzz/corpus/policy
endif
