# SPDX-License-Identifier: Apache-2.0
# What unit tests link: the library's code with all its internal names.
UNIT_LIBS = libsandbox/libsbxcore.la $(SBX_DEPENDENCIES) $(CRITERION_LIBS)
# What live tests link: the library as its users see it.
LIVE_LIBS = libsandbox/libsandbox.la $(CRITERION_LIBS)
EXTRA_DIST += tests/lsan.supp

if HAVE_CRITERION
include tests/unit/base/base_tests.mk
include tests/unit/client/client_tests.mk
include tests/unit/init/init_tests.mk
include tests/unit/init/usage_tests.mk
include tests/unit/kernel/cgroup_tests.mk
include tests/unit/kernel/kernel_tests.mk
include tests/unit/kernel/seccomp_tests.mk
include tests/unit/policy/mandate_tests.mk
include tests/unit/policy/policy_tests.mk
include tests/unit/spawn/grants_tests.mk
include tests/unit/spawn/report_tests.mk
include tests/unit/spawn/spawn_tests.mk
include tests/live/live.mk
include tests/live/race.mk
include tests/live/enter_self.mk
endif
include tests/adapters/cli/cli_tests.mk
include tests/adapters/client/adapter_tests.mk
include tests/containment/containment.mk
include tests/degrade/degrade.mk
include tests/field/field.mk
include tests/fuzz/fuzz.mk
include tests/lint/lint.mk
include tests/hosts-pod/hosts-pod.mk
include tests/kernel-6.1/kernel-6.1.mk
include tests/suites.mk
