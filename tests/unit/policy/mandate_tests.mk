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

check_PROGRAMS += tests/unit/policy/test_mandate
tests_unit_policy_test_mandate_SOURCES = tests/unit/policy/test_mandate.c \
	tests/unit/policy/mandate_test.h \
	tests/unit/policy/scratch.h
tests_unit_policy_test_mandate_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_mandate

check_PROGRAMS += tests/unit/policy/test_decide
tests_unit_policy_test_decide_SOURCES = tests/unit/policy/test_decide.c \
	tests/unit/policy/mandate_test.h
tests_unit_policy_test_decide_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_decide

check_PROGRAMS += tests/unit/policy/test_subset
tests_unit_policy_test_subset_SOURCES = tests/unit/policy/test_subset.c \
	tests/unit/policy/mandate_test.h \
	tests/unit/policy/scratch.h
tests_unit_policy_test_subset_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_subset

check_PROGRAMS += tests/unit/policy/test_subset_property
tests_unit_policy_test_subset_property_SOURCES = tests/unit/policy/test_subset_property.c \
	tests/unit/policy/mandate_test.h \
	tests/unit/policy/scratch.h
tests_unit_policy_test_subset_property_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_subset_property

check_PROGRAMS += tests/unit/policy/test_json_mandate
tests_unit_policy_test_json_mandate_SOURCES = tests/unit/policy/test_json_mandate.c
tests_unit_policy_test_json_mandate_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_json_mandate

check_PROGRAMS += tests/unit/policy/test_mandate_api
tests_unit_policy_test_mandate_api_SOURCES = tests/unit/policy/test_mandate_api.c
tests_unit_policy_test_mandate_api_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/policy/test_mandate_api

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
