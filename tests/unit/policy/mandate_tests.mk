# SPDX-License-Identifier: Apache-2.0
# Unit tests of mandates and budgets.
check_PROGRAMS += tests/unit/policy/test_labels
tests_unit_policy_test_labels_SOURCES = tests/unit/policy/test_labels.c
tests_unit_policy_test_labels_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_labels

check_PROGRAMS += tests/unit/policy/test_budget
tests_unit_policy_test_budget_SOURCES = tests/unit/policy/test_budget.c
tests_unit_policy_test_budget_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_budget

check_PROGRAMS += tests/unit/policy/test_ratelimit
tests_unit_policy_test_ratelimit_SOURCES = tests/unit/policy/test_ratelimit.c
tests_unit_policy_test_ratelimit_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_ratelimit

check_PROGRAMS += tests/unit/policy/test_address
tests_unit_policy_test_address_SOURCES = tests/unit/policy/test_address.c
tests_unit_policy_test_address_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_address

check_PROGRAMS += tests/unit/policy/test_scope
tests_unit_policy_test_scope_SOURCES = tests/unit/policy/test_scope.c
tests_unit_policy_test_scope_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_scope

check_PROGRAMS += tests/unit/policy/test_match
tests_unit_policy_test_match_SOURCES = tests/unit/policy/test_match.c
tests_unit_policy_test_match_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_match

check_PROGRAMS += tests/unit/policy/test_match_corpus
tests_unit_policy_test_match_corpus_SOURCES = tests/unit/policy/test_match_corpus.c \
	tests/fuzz/fuzz_match.c
tests_unit_policy_test_match_corpus_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_match_corpus

EXTRA_DIST += \
	tests/fuzz/corpus/match/any \
	tests/fuzz/corpus/match/data \
	tests/fuzz/corpus/match/directory \
	tests/fuzz/corpus/match/host \
	tests/fuzz/corpus/match/local \
	tests/fuzz/corpus/match/number \
	tests/fuzz/corpus/match/range \
	tests/fuzz/corpus/match/task \
	tests/fuzz/corpus/match/tree \
	tests/fuzz/corpus/match/unix \
	tests/fuzz/corpus/match/v6
