# SPDX-License-Identifier: Apache-2.0
#
# A helper that emulates poorer hosts, and the live tests run under it.
check_PROGRAMS += tests/degrade/degrade tests/degrade/probe

tests_degrade_degrade_SOURCES = \
	tests/degrade/degrade.c \
	tests/degrade/filter.c \
	tests/degrade/filter.h \
	tests/degrade/host.c \
	tests/degrade/host.h \
	tests/degrade/rules.c \
	tests/degrade/tracer.c \
	tests/degrade/tracer.h
tests_degrade_degrade_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)

tests_degrade_probe_SOURCES = \
	tests/degrade/probe.c \
	tests/degrade/probe.h \
	tests/degrade/probe_namespaces.c \
	tests/degrade/probe_processes.c \
	tests/degrade/probe_restrictions.c
tests_degrade_probe_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
tests_degrade_probe_LDFLAGS = $(AM_LDFLAGS) -pthread

TESTS += tests/degrade/test_degrade.sh
EXTRA_DIST += tests/degrade/run-tier.sh tests/degrade/test_degrade.sh

# Arguments: expectation, and what sbx-doctor must say of cause and remedy.
RUN_TIER = $(SHELL) $(top_srcdir)/tests/degrade/run-tier.sh
DEGRADE = $(abs_top_builddir)/tests/degrade/degrade
DEGRADE_NEEDS = all tests/degrade/degrade$(EXEEXT) tests/degrade/probe$(EXEEXT)

check-plain: $(DEGRADE_NEEDS)
	SBX_WRAP= $(RUN_TIER) A

check-no-userns: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-userns --" \
		$(RUN_TIER) B 'user.*EPERM' 'seccomp|sysctl|AppArmor'
	SBX_WRAP="$(DEGRADE) --userns-errno=EACCES --trace-clone3 --" \
		$(RUN_TIER) B 'user.*EACCES' 'seccomp|sysctl|AppArmor'

check-max-userns: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --max-userns=0 --" \
		$(RUN_TIER) B 'user.*ENOSPC' 'max_user_namespaces'

# Landlock judges no signals: the supervisor sends them.
check-old-landlock: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-userns --landlock-abi=5 --" \
		$(RUN_TIER) B 'user.*EPERM' 'seccomp|sysctl|AppArmor'

check-apparmor: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --apparmor --" \
		$(RUN_TIER) B 'EACCES' 'AppArmor'

check-docker: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --docker --" \
		$(RUN_TIER) B 'user.*EPERM' 'seccomp'

# Without Landlock the property "files" has a gap, which may be preferred.
check-no-landlock: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-landlock --" \
		$(RUN_TIER) refused 'landlock.*ENOSYS' 'lsm='
	SBX_WRAP="$(DEGRADE) --no-landlock --" SBX_OPTIONS="--prefer files" \
		$(RUN_TIER) A 'landlock.*ENOSYS' 'lsm='
	SBX_WRAP="$(DEGRADE) --no-landlock=EOPNOTSUPP --no-userns --" \
		$(RUN_TIER) none 'landlock.*EOPNOTSUPP' 'lsm='

check-no-clone3: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-clone3 --" $(RUN_TIER) A 'clone3'

check-no-close-range: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-close-range --" $(RUN_TIER) A 'close'

check-no-memfd-exec: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --no-memfd-exec --" \
		$(RUN_TIER) none 'memfd|helper' 'memfd_noexec'

check-masked-proc: $(DEGRADE_NEEDS)
	SBX_WRAP="$(DEGRADE) --masked-proc --" \
		$(RUN_TIER) A 'proc' '/proc'

check-degraded: check-no-userns check-max-userns check-old-landlock \
	check-apparmor \
	check-docker check-no-landlock check-no-clone3 check-no-close-range \
	check-no-memfd-exec check-masked-proc

.PHONY: check-plain check-no-userns check-max-userns check-old-landlock \
	check-apparmor \
	check-docker check-no-landlock check-no-clone3 check-no-close-range \
	check-no-memfd-exec check-masked-proc check-degraded
