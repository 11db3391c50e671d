# SPDX-License-Identifier: Apache-2.0
# The client alone, as code inside a task links it, against a broker of ours.
CLIENT_TEST_LIBS = libsandbox/libsbxclient.la $(CRITERION_LIBS)
FAKE_BROKER_SOURCES = tests/unit/client/fake_broker.c \
	tests/unit/client/fake_broker.h

check_PROGRAMS += tests/unit/client/test_client
tests_unit_client_test_client_SOURCES = tests/unit/client/test_client.c \
	tests/unit/client/client_test.h $(FAKE_BROKER_SOURCES)
tests_unit_client_test_client_LDADD = $(CLIENT_TEST_LIBS)
TESTS += tests/unit/client/test_client

check_PROGRAMS += tests/unit/client/test_client_grants
tests_unit_client_test_client_grants_SOURCES = \
	tests/unit/client/test_client_grants.c \
	tests/unit/client/client_test.h $(FAKE_BROKER_SOURCES)
tests_unit_client_test_client_grants_LDADD = $(CLIENT_TEST_LIBS)
TESTS += tests/unit/client/test_client_grants

check_PROGRAMS += tests/unit/client/test_client_hostile
tests_unit_client_test_client_hostile_SOURCES = \
	tests/unit/client/test_client_hostile.c tests/unit/base/help.h
tests_unit_client_test_client_hostile_LDADD = $(CLIENT_TEST_LIBS)
TESTS += tests/unit/client/test_client_hostile

check_PROGRAMS += tests/unit/client/test_wire_corpus
tests_unit_client_test_wire_corpus_SOURCES = \
	tests/unit/client/test_wire_corpus.c tests/fuzz/fuzz_wire.c
tests_unit_client_test_wire_corpus_LDADD = $(CLIENT_TEST_LIBS)
TESTS += tests/unit/client/test_wire_corpus
