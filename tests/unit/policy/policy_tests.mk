# SPDX-License-Identifier: Apache-2.0
# Unit tests of the policy layer, its schema check, its fuzzer's seeds.
check_PROGRAMS += tests/unit/policy/test_paths
tests_unit_policy_test_paths_SOURCES = tests/unit/policy/test_paths.c
tests_unit_policy_test_paths_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_paths

check_PROGRAMS += tests/unit/policy/test_names
tests_unit_policy_test_names_SOURCES = tests/unit/policy/test_names.c
tests_unit_policy_test_names_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_names

check_PROGRAMS += tests/unit/policy/test_profile
tests_unit_policy_test_profile_SOURCES = tests/unit/policy/test_profile.c
tests_unit_policy_test_profile_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_profile

check_PROGRAMS += tests/unit/policy/test_policy
tests_unit_policy_test_policy_SOURCES = tests/unit/policy/test_policy.c
tests_unit_policy_test_policy_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_policy

check_PROGRAMS += tests/unit/policy/test_grant
tests_unit_policy_test_grant_SOURCES = tests/unit/policy/test_grant.c
tests_unit_policy_test_grant_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_grant

check_PROGRAMS += tests/unit/policy/test_expand
tests_unit_policy_test_expand_SOURCES = tests/unit/policy/test_expand.c
tests_unit_policy_test_expand_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_expand

check_PROGRAMS += tests/unit/policy/test_json
tests_unit_policy_test_json_SOURCES = tests/unit/policy/test_json.c
tests_unit_policy_test_json_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_json

check_PROGRAMS += tests/unit/policy/test_resolve
tests_unit_policy_test_resolve_SOURCES = tests/unit/policy/test_resolve.c \
	tests/unit/policy/scratch.h
tests_unit_policy_test_resolve_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_resolve

check_PROGRAMS += tests/unit/policy/test_compile
tests_unit_policy_test_compile_SOURCES = tests/unit/policy/test_compile.c \
	tests/unit/policy/compile_test.h \
	tests/unit/policy/scratch.h
tests_unit_policy_test_compile_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_compile

check_PROGRAMS += tests/unit/policy/test_compile_links
tests_unit_policy_test_compile_links_SOURCES = tests/unit/policy/test_compile_links.c \
	tests/unit/policy/compile_test.h \
	tests/unit/policy/scratch.h
tests_unit_policy_test_compile_links_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_compile_links

check_PROGRAMS += tests/unit/policy/test_flat
tests_unit_policy_test_flat_SOURCES = tests/unit/policy/test_flat.c
tests_unit_policy_test_flat_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_flat

check_PROGRAMS += tests/unit/policy/test_api
tests_unit_policy_test_api_SOURCES = tests/unit/policy/test_api.c \
	tests/unit/policy/scratch.h
tests_unit_policy_test_api_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_api

check_PROGRAMS += tests/unit/policy/test_corpus
tests_unit_policy_test_corpus_SOURCES = tests/unit/policy/test_corpus.c \
	tests/fuzz/fuzz_policy.c
tests_unit_policy_test_corpus_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_corpus

TESTS += tests/lint/schema.sh
EXTRA_DIST += tests/lint/schema.sh \
	tests/fuzz/corpus/policy/bad-budget.json \
	tests/fuzz/corpus/policy/bad-control.json \
	tests/fuzz/corpus/policy/bad-depth.json \
	tests/fuzz/corpus/policy/bad-duplicate-key.json \
	tests/fuzz/corpus/policy/bad-empty.json \
	tests/fuzz/corpus/policy/bad-escaped-nul.json \
	tests/fuzz/corpus/policy/bad-integer.json \
	tests/fuzz/corpus/policy/bad-later.json \
	tests/fuzz/corpus/policy/bad-mandate.json \
	tests/fuzz/corpus/policy/bad-network.json \
	tests/fuzz/corpus/policy/bad-nul.json \
	tests/fuzz/corpus/policy/bad-number.json \
	tests/fuzz/corpus/policy/bad-relative.json \
	tests/fuzz/corpus/policy/bad-surrogate.json \
	tests/fuzz/corpus/policy/bad-target.json \
	tests/fuzz/corpus/policy/bad-unknown-key.json \
	tests/fuzz/corpus/policy/bad-utf8.json \
	tests/fuzz/corpus/policy/bad-variable.json \
	tests/fuzz/corpus/policy/bad-version.json \
	tests/fuzz/corpus/policy/good-escapes.json \
	tests/fuzz/corpus/policy/good-everything.json \
	tests/fuzz/corpus/policy/good-mandate.json \
	tests/fuzz/corpus/policy/good-smallest.json
