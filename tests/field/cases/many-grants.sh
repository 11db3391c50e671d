# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A hundred grants of folders and files, mixed, all in force.
for n in {0..49}; do
	options --ro "$H/$n/read" --rw "$H/$n/write"
done

prepare()
{
	for n in {0..49}; do
		mkdir -p "$H/$n/write"
		echo "$n" >"$H/$n/read"
		echo hidden >"$H/$n/hidden"
	done
}

inside()
{
	for n in {0..49}; do
		read -r line <"$H/$n/read"
		same "$line" "$n"
		echo "$n" >"$H/$n/write/file"
	done
	for n in 0 49; do
		denied cat "$H/$n/hidden"
		denied tee "$H/$n/read"
	done
}

outside()
{
	test "$(cat "$H"/*/write/file | wc -l)" = 50
}
