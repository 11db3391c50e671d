# SPDX-License-Identifier: Apache-2.0
# Programs that README.md quotes.  They see the public headers only.
EXAMPLE_CPPFLAGS = -I$(top_srcdir)/include

noinst_PROGRAMS += \
	examples/many-tasks \
	examples/one-socket \
	examples/run-script

examples_many_tasks_SOURCES = examples/many-tasks.c
examples_many_tasks_CPPFLAGS = $(EXAMPLE_CPPFLAGS)
examples_many_tasks_LDADD = libsandbox/libsandbox.la

examples_one_socket_SOURCES = examples/one-socket.c
examples_one_socket_CPPFLAGS = $(EXAMPLE_CPPFLAGS)
examples_one_socket_LDADD = libsandbox/libsandbox.la

examples_run_script_SOURCES = examples/run-script.c
examples_run_script_CPPFLAGS = $(EXAMPLE_CPPFLAGS)
examples_run_script_LDADD = libsandbox/libsandbox.la

EXAMPLE_TESTS = tests/examples/quickstart.sh tests/examples/run.sh
TESTS += $(EXAMPLE_TESTS)
EXTRA_DIST += $(EXAMPLE_TESTS) \
	examples/quickstart/agent.py \
	examples/quickstart/serve.py
