# SPDX-License-Identifier: Apache-2.0
libsandbox_libsbxcore_la_SOURCES += libsandbox/kernel/cgroup.c libsandbox/kernel/cgroup.h
