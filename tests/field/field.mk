# SPDX-License-Identifier: Apache-2.0
# Everyday work inside of jails; run.sh says how.  One entry, since it runs its
# cases side by side.
TESTS += tests/field/run.sh
EXTRA_DIST += tests/field/run.sh tests/field/job.sh tests/field/inside.sh \
	tests/field/serve.py tests/field/terminal.py tests/field/tier-b.skip \
	tests/field/cases
