# SPDX-License-Identifier: Apache-2.0
# The same tests under other circumstances: scripts/check runs them all.

# As an ordinary user, in a copy of the build that he may write to.
check-user: all
	$(MAKE) check TESTS= >/dev/null
	bash $(top_srcdir)/tests/as-user.sh '$(abs_top_builddir)' \
		$(USER_TESTS)
.PHONY: check-user
EXTRA_DIST += tests/as-user.sh
