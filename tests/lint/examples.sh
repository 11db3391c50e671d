#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: examples.sh [TREE]
#
# Examples are short, and README.md quotes each as it is.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

max_lines=80

# quoted FILE: fails unless all its lines but the licence follow each other
# in README.md.
quoted()
{
	awk '
	NR == FNR {
		if (FNR > 1 || !/SPDX-License-Identifier/)
			want[n++] = $0
		next
	}
	{ have[m++] = $0 }
	END {
		for (i = 0; i + n <= m; i++) {
			for (j = 0; j < n && have[i + j] == want[j]; j++)
				;
			if (j == n)
				exit 0
		}
		exit 1
	}' "$1" "$tree/README.md"
}

examples=$(files examples '*.c')
report "there are examples" "$([ -n "$examples" ] || echo none)"
report "there is a README.md" "$([ -f "$tree/README.md" ] || echo none)"
for f in $examples; do
	report "$f has at most $max_lines lines" "$(awk -v max=$max_lines '
		END { if (NR > max) print NR }' "$tree/$f")"
	report "$f is quoted in README.md" \
		"$(quoted "$tree/$f" 2>/dev/null || echo "not word for word")"
done
finish
