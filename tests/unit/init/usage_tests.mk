# SPDX-License-Identifier: Apache-2.0
# The helper's code is in no library: its test compiles it.
check_PROGRAMS += tests/unit/init/test_usage
tests_unit_init_test_usage_SOURCES = tests/unit/init/test_usage.c \
	libsandbox/init/usage.c libsandbox/init/usage.h \
	libsandbox/init/usage_proc.c libsandbox/init/usage_proc.h \
	libsandbox/init/usage_tree.c libsandbox/init/usage_tree.h
tests_unit_init_test_usage_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_usage

check_PROGRAMS += tests/unit/init/test_usage_text
tests_unit_init_test_usage_text_SOURCES = tests/unit/init/test_usage_text.c \
	libsandbox/init/usage.c libsandbox/init/usage.h \
	libsandbox/init/usage_proc.c libsandbox/init/usage_proc.h \
	libsandbox/init/usage_tree.c libsandbox/init/usage_tree.h
tests_unit_init_test_usage_text_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/init/test_usage_text
