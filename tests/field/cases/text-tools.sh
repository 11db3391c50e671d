# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What a shell script of every day calls: text, numbers, archives of text.
needs awk sed jq diff

inside()
{
	seq 5 | awk '{ s += $1 } END { print s }' >sum
	same "$(cat sum)" 15
	same "$(printf 'b\na\n' | sort | uniq | tr '\n' ' ')" 'a b '
	same "$(echo '{"a":[1,2]}' | jq -c '.a|add')" 3
	same "$(date -u -d @86400 +%F)" 1970-01-02
	printf 'a\nb\n' >one
	printf 'a\nc\n' >two
	rc=0
	diff -u one two >changes || rc=$?
	same $rc 1
	split -l 1 one part-
	same "$(cat part-*)" $'a\nb'
	same "$(sha256sum </dev/null | cut -c 1-8)" e3b0c442
	same "$(echo hello | base64 | base64 -d)" hello
	same "$(sort -S 1M -n < <(seq 1000 -1 1) | head -n 1)" 1
	same "$(find /usr -maxdepth 1 -name bin)" /usr/bin
	seq 20000 | shuf | sort -n --parallel=2 | cmp - <(seq 20000)
	same "$(realpath --relative-to=/usr /usr/bin/env)" bin/env
	test "$(yes | head -c 1000 | gzip -9 | gunzip | wc -c)" = 1000
	comm -12 one two >/dev/null
	ls -la --color=never /usr >/dev/null
}
