# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# File names with blanks, newlines, quotes, bytes that are no UTF-8, a leading
# hyphen, and 255 bytes.

inside()
{
	local name long
	long=$(printf '%0255d' 1)
	for name in 'two words' $'new\nline' "quo'te\"s" $'\xff\xfe' '-n' '*?[a]' \
		'$HOME' '\back\slash' '...' ' ' $'\t' $'\x01' 'ünïcödé' "$long"; do
		echo "in $name" >"./$name"
		same "$(cat "./$name")" "in $name"
		mv -- "./$name" moved
		ln moved "./$name"
		rm moved
		mkdir -- "./$name.d" 2>/dev/null || mkdir "./long.d"
	done
	same "$(find . -maxdepth 1 -type f -print0 | tr -dc '\0' | wc -c)" 14
}
