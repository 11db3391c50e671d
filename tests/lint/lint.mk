# SPDX-License-Identifier: Apache-2.0
#
# Consistency is a test, not a review.
LINT_TESTS = \
	tests/lint/banned.sh \
	tests/lint/examples.sh \
	tests/lint/fault_symbols.sh \
	tests/lint/headers.sh \
	tests/lint/launch_symbols.sh \
	tests/lint/layering.sh \
	tests/lint/pages.sh \
	tests/lint/selftest.sh \
	tests/lint/sizes.sh \
	tests/lint/spdx.sh \
	tests/lint/symbols.sh \
	tests/lint/version.sh \
	tests/lint/words.sh

TESTS += $(LINT_TESTS)
EXTRA_DIST += $(LINT_TESTS) \
	tests/lint/launch_symbols.txt \
	tests/lint/lib.sh \
	tests/lint/strip.awk

check-lint:
	@rc=0; for t in $(LINT_TESTS); do \
		srcdir=$(srcdir) $(srcdir)/$$t || rc=1; done; exit $$rc
.PHONY: check-lint
