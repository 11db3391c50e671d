# SPDX-License-Identifier: Apache-2.0
# Clients of the broker as programs: sbx-ask, and one in plain Python.
check_PROGRAMS += tests/adapters/client/fake-broker
tests_adapters_client_fake_broker_SOURCES = \
	tests/adapters/client/fake-broker.c \
	tests/unit/client/fake_broker.c tests/unit/client/fake_broker.h
tests_adapters_client_fake_broker_LDADD = libsandbox/libsbxclient.la

CLIENT_SHELL_TESTS = tests/adapters/client/client.sh \
	tests/adapters/client/jailed.sh \
	tests/adapters/client/sbx_ask.sh
TESTS += $(CLIENT_SHELL_TESTS)
EXTRA_DIST += $(CLIENT_SHELL_TESTS) \
	tests/adapters/client/client.py \
	tests/adapters/client/client_cases.py
