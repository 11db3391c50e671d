# SPDX-License-Identifier: Apache-2.0
# Fuzz targets, for clang: ./configure --enable-fuzzing --disable-shared.
if FUZZING
noinst_PROGRAMS += tests/fuzz/fuzz_policy tests/fuzz/fuzz_wire
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c
tests_fuzz_fuzz_policy_LDADD = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES)
tests_fuzz_fuzz_policy_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_wire_SOURCES = tests/fuzz/fuzz_wire.c
tests_fuzz_fuzz_wire_LDADD = libsandbox/libsbxclient.la
tests_fuzz_fuzz_wire_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

noinst_PROGRAMS += tests/fuzz/fuzz_match
tests_fuzz_fuzz_match_SOURCES = tests/fuzz/fuzz_match.c
tests_fuzz_fuzz_match_LDADD = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES)
tests_fuzz_fuzz_match_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

FUZZ_SECONDS = 60
fuzz: fuzz-policy fuzz-match fuzz-wire
fuzz-match: tests/fuzz/fuzz_match
	$(MKDIR_P) fuzz-corpus/match
	tests/fuzz/fuzz_match -max_total_time=$(FUZZ_SECONDS) \
		fuzz-corpus/match $(srcdir)/tests/fuzz/corpus/match
fuzz-policy: tests/fuzz/fuzz_policy
	$(MKDIR_P) fuzz-corpus/policy
	tests/fuzz/fuzz_policy -max_total_time=$(FUZZ_SECONDS) \
		fuzz-corpus/policy $(srcdir)/tests/fuzz/corpus/policy
fuzz-wire: tests/fuzz/fuzz_wire
	$(MKDIR_P) fuzz-corpus/wire
	tests/fuzz/fuzz_wire -max_total_time=$(FUZZ_SECONDS) -max_len=16400 \
		fuzz-corpus/wire $(srcdir)/tests/fuzz/corpus/wire
endif

# What the targets start from also runs in "make check".
EXTRA_DIST += \
	tests/fuzz/corpus/wire/bad-body-length \
	tests/fuzz/corpus/wire/bad-critical \
	tests/fuzz/corpus/wire/bad-cut \
	tests/fuzz/corpus/wire/bad-descriptors \
	tests/fuzz/corpus/wire/bad-empty \
	tests/fuzz/corpus/wire/bad-flags \
	tests/fuzz/corpus/wire/bad-id \
	tests/fuzz/corpus/wire/bad-labels \
	tests/fuzz/corpus/wire/bad-longer \
	tests/fuzz/corpus/wire/bad-magic \
	tests/fuzz/corpus/wire/bad-many-descriptors \
	tests/fuzz/corpus/wire/bad-name \
	tests/fuzz/corpus/wire/bad-nested-critical \
	tests/fuzz/corpus/wire/bad-nested-past-end \
	tests/fuzz/corpus/wire/bad-nul \
	tests/fuzz/corpus/wire/bad-past-end \
	tests/fuzz/corpus/wire/bad-reply-descriptor \
	tests/fuzz/corpus/wire/bad-reply-status \
	tests/fuzz/corpus/wire/bad-reserved \
	tests/fuzz/corpus/wire/bad-short \
	tests/fuzz/corpus/wire/bad-status \
	tests/fuzz/corpus/wire/bad-tail \
	tests/fuzz/corpus/wire/bad-twice \
	tests/fuzz/corpus/wire/bad-type \
	tests/fuzz/corpus/wire/bad-version \
	tests/fuzz/corpus/wire/bad-width \
	tests/fuzz/corpus/wire/good-attach \
	tests/fuzz/corpus/wire/good-attached \
	tests/fuzz/corpus/wire/good-budget \
	tests/fuzz/corpus/wire/good-cancel \
	tests/fuzz/corpus/wire/good-delegate \
	tests/fuzz/corpus/wire/good-eight-labels \
	tests/fuzz/corpus/wire/good-exit \
	tests/fuzz/corpus/wire/good-granted \
	tests/fuzz/corpus/wire/good-list \
	tests/fuzz/corpus/wire/good-list-more \
	tests/fuzz/corpus/wire/good-log \
	tests/fuzz/corpus/wire/good-longest \
	tests/fuzz/corpus/wire/good-narrow \
	tests/fuzz/corpus/wire/good-ready \
	tests/fuzz/corpus/wire/good-refused \
	tests/fuzz/corpus/wire/good-release \
	tests/fuzz/corpus/wire/good-request \
	tests/fuzz/corpus/wire/good-started \
	tests/fuzz/corpus/wire/good-unknown-tag
