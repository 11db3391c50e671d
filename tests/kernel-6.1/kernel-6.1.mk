# SPDX-License-Identifier: Apache-2.0
# The live tests under Debian 12's kernel, in an emulated machine: not a part
# of "make check", since it takes minutes.  docs/kernel-support.md says what
# it needs.  A thousand spawns against a swapper would take an hour there.
KERNEL_6_1_TESTS = $(filter-out tests/live/test_race, $(filter \
	tests/live/test_% tests/unit/kernel/% tests/unit/init/%, $(TESTS)))

check-kernel-6.1: all
	$(MAKE) check TESTS=
	bash $(top_srcdir)/tests/kernel-6.1/run.sh '$(abs_top_srcdir)' \
		'$(abs_top_builddir)' $(KERNEL_6_1_TESTS)

.PHONY: check-kernel-6.1
EXTRA_DIST += tests/kernel-6.1/commands tests/kernel-6.1/guest.sh \
	tests/kernel-6.1/image.sh tests/kernel-6.1/init \
	tests/kernel-6.1/kernel.sh tests/kernel-6.1/run.sh
