# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Granted paths may have odd names as well, and be very long.
long=$(printf 'l%.0s' {1..250})
deep=$long/$long/$long/$long
options --ro "$H/two words" --rw "$H/"$'new\nline' --ro "$H/"$'\xff\xfe' \
	--ro "$H/quo'te\"s\\" --ro "$H/-n" --rw "$H/$deep" --ro "$H/\${x}"

prepare()
{
	local name
	for name in 'two words' $'new\nline' $'\xff\xfe' "quo'te\"s\\" -n "$deep" \
		'${x}' secret; do
		mkdir -p "$H/$name"
		echo text >"$H/$name/file"
	done
}

inside()
{
	local name
	for name in 'two words' $'new\nline' $'\xff\xfe' "quo'te\"s\\" -n "$deep" \
		'${x}'; do
		same "$(cat "$H/$name/file")" text
	done
	echo new >"$H/"$'new\nline'/file
	echo new >"$H/$deep/made"
	denied tee "$H/two words/file"
	denied cat "$H/secret/file"
}

outside()
{
	test "$(cat "$H/$deep/made")" = new
	! in_jail || test "$(cat "$H/two words/file")" = text
}
