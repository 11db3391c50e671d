# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# bash: here-documents and strings, process substitution, coprocesses, saved
# descriptors, a here-document over the size of a pipe.

inside()
{
	same "$(cat <<END
one $((1 + 1))
END
)" 'one 2'
	same "$(cat <<<string)" string
	long=$(printf '%0100000d' 7)
	same "$(wc -c <<<"$long")" 100001
	same "$(paste -d- <(echo a) <(echo b))" a-b
	echo through > >(cat >written)
	wait $!
	same "$(cat written)" through
	# shellcheck disable=SC2034 # bash makes it
	coproc ANSWER { read -r line; echo "got $line"; }
	echo asked >&"${ANSWER[1]}"
	read -r line <&"${ANSWER[0]}"
	same "$line" 'got asked'
	exec {fd}>by-number
	echo numbered >&"$fd"
	exec {fd}>&-
	same "$(cat by-number)" numbered
	echo appended >>by-number
	exec 5<by-number
	read -r line <&5
	same "$line" numbered
	same "$(head -n 1 /dev/fd/5)" numbered
	mapfile -t lines < <(seq 3)
	same "${lines[*]}" '1 2 3'
	diff <(sort <<<$'b\na') <(printf 'a\nb\n')
}
