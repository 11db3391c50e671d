# SPDX-License-Identifier: Apache-2.0
# The same tests under other circumstances; scripts/check runs them all.  Each
# leaves its TAP output as *.tap in the build folder.

# What is worth running again as an ordinary user.  Most live tests are not in
# it: started as root, they do each thing as an ordinary user too.
USER_TESTS = $(filter tests/unit/% tests/adapters/%, $(TESTS)) \
	tests/live/test_probe tests/live/test_seccomp_live \
	tests/live/test_spawn

check-user: all
	$(MAKE) check TESTS=
	bash $(top_srcdir)/tests/as-user.sh '$(abs_top_srcdir)' \
		'$(abs_top_builddir)' $(USER_TESTS)

# On emulated poorer hosts.
check-hosts: all
	bash $(top_srcdir)/tests/targets.sh hosts '$(MAKE)' check-plain \
		check-no-userns check-max-userns check-old-landlock \
		check-apparmor check-docker \
		check-no-landlock check-no-clone3 check-no-close-range \
		check-no-memfd-exec check-masked-proc

# The fault matrix, in a build with --enable-fault-injection.
check-fault: all tests/fault/fault_matrix
	bash $(top_srcdir)/tests/targets.sh fault tests/fault/fault_matrix ''

# What a build with --enable-sanitizers is for.  Leaks are not looked for below
# a tracer, and an emulated Landlock needs one.
check-asan: all
	$(MAKE) check TESTS='$(filter-out tests/live/test_seccomp_live \
			tests/live/test_enter_self tests/live/test_enter_held \
			tests/live/test_race tests/live/old_landlock.sh, \
		$(filter tests/unit/% tests/live/%, $(TESTS)))'

check-tsan: all tests/live/tsan_spawn
	bash $(top_srcdir)/tests/targets.sh tsan tests/live/tsan_spawn ''

.PHONY: check-user check-hosts check-fault check-asan check-tsan
EXTRA_DIST += tests/as-user.sh tests/targets.sh

TESTS += tests/install/install.sh
EXTRA_DIST += tests/install/install.sh tests/install/consumer.c \
	tests/install/client.c
