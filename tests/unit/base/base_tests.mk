# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += tests/unit/base/test_closefrom
tests_unit_base_test_closefrom_SOURCES = tests/unit/base/test_closefrom.c \
	tests/unit/base/help.h
tests_unit_base_test_closefrom_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_closefrom

check_PROGRAMS += tests/unit/base/test_errors
tests_unit_base_test_errors_SOURCES = tests/unit/base/test_errors.c
tests_unit_base_test_errors_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_errors

check_PROGRAMS += tests/unit/base/test_fdmsg
tests_unit_base_test_fdmsg_SOURCES = tests/unit/base/test_fdmsg.c \
	tests/unit/base/help.h
tests_unit_base_test_fdmsg_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_fdmsg

check_PROGRAMS += tests/unit/base/test_fdmsg_room
tests_unit_base_test_fdmsg_room_SOURCES = tests/unit/base/test_fdmsg_room.c \
	tests/unit/base/help.h
tests_unit_base_test_fdmsg_room_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_fdmsg_room

check_PROGRAMS += tests/unit/base/test_memfd
tests_unit_base_test_memfd_SOURCES = tests/unit/base/test_memfd.c \
	tests/unit/base/help.h
tests_unit_base_test_memfd_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_memfd

check_PROGRAMS += tests/unit/base/test_rmtree
tests_unit_base_test_rmtree_SOURCES = tests/unit/base/test_rmtree.c \
	tests/unit/base/help.h
tests_unit_base_test_rmtree_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_rmtree

check_PROGRAMS += tests/unit/base/test_text
tests_unit_base_test_text_SOURCES = tests/unit/base/test_text.c
tests_unit_base_test_text_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_text

check_PROGRAMS += tests/unit/base/test_wire
tests_unit_base_test_wire_SOURCES = tests/unit/base/test_wire.c
tests_unit_base_test_wire_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_wire

check_PROGRAMS += tests/unit/base/test_wire_msg
tests_unit_base_test_wire_msg_SOURCES = tests/unit/base/test_wire_msg.c \
	tests/unit/base/help.h
tests_unit_base_test_wire_msg_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_wire_msg

check_PROGRAMS += tests/unit/base/test_wire_doc
tests_unit_base_test_wire_doc_SOURCES = tests/unit/base/test_wire_doc.c
tests_unit_base_test_wire_doc_LDADD = $(UNIT_LIBS)
TESTS += tests/unit/base/test_wire_doc
