# SPDX-License-Identifier: Apache-2.0
# The helper's code is in no library: its tests compile it.
check_PROGRAMS += tests/unit/init/test_place
tests_unit_init_test_place_SOURCES = tests/unit/init/test_place.c \
	libsandbox/init/place.c \
	libsandbox/init/place.h \
	tests/unit/base/help.h
tests_unit_init_test_place_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_place

check_PROGRAMS += tests/unit/init/test_relay
tests_unit_init_test_relay_SOURCES = tests/unit/init/test_relay.c \
	tests/unit/init/relay_test.h \
	libsandbox/init/relay.c \
	libsandbox/init/relay.h \
	tests/unit/base/help.h
tests_unit_init_test_relay_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_relay

check_PROGRAMS += tests/unit/init/test_relay_limit
tests_unit_init_test_relay_limit_SOURCES = tests/unit/init/test_relay_limit.c \
	tests/unit/init/relay_test.h \
	libsandbox/init/relay.c \
	libsandbox/init/relay.h \
	tests/unit/base/help.h
tests_unit_init_test_relay_limit_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_relay_limit

check_PROGRAMS += tests/unit/init/test_tree
tests_unit_init_test_tree_SOURCES = tests/unit/init/test_tree.c \
	libsandbox/init/tree.c \
	libsandbox/init/tree.h \
	libsandbox/kernel/mount.c \
	libsandbox/kernel/mount.h \
	tests/unit/base/help.h
tests_unit_init_test_tree_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_tree

check_PROGRAMS += tests/unit/init/test_trust
tests_unit_init_test_trust_SOURCES = tests/unit/init/test_trust.c \
	libsandbox/init/trust.c
tests_unit_init_test_trust_LDADD = $(UNIT_LIBS)
tests_unit_init_test_trust_CPPFLAGS = $(AM_CPPFLAGS) -Ilibsandbox
TESTS += tests/unit/init/test_trust

check_PROGRAMS += tests/unit/init/test_descent
tests_unit_init_test_descent_SOURCES = tests/unit/init/test_descent.c \
	libsandbox/init/descent.c libsandbox/init/descent.h \
	libsandbox/init/usage_proc.c libsandbox/init/usage_proc.h
tests_unit_init_test_descent_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_descent
