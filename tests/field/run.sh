#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh [CASE...]
#
# Everyday work inside of jails: each case of cases/ as root (if that is who
# calls) and as an ordinary user, in tier A and in tier B, after its control
# run without a jail.  A control that fails says that the machine is at fault:
# then the case is skipped.  TAP on standard output.
#
#   SBX_EXEC            the program; default: that in the build folder
#   DEGRADE             what refuses user namespaces, for tier B
#   SBX_REQUIRE_LIVE=1  what would be skipped fails
#   FIELD_JOBS          how many cases at a time; default: one a processor
#   FIELD_TRY_LISTED=1  in tier B, cases of tier-b.skip as well, as "to do"
#   FIELD_KEEP=1        the scratch folder stays
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=${top_builddir:-$PWD}
sbx_exec=${SBX_EXEC:-$build/sbx-exec}
degrade=${DEGRADE:-$build/tests/degrade/degrade}
case $sbx_exec in /*) ;; *) sbx_exec=$PWD/$sbx_exec ;; esac
jobs=${FIELD_JOBS:-$(nproc)}
user_id=61234

for program in "$sbx_exec" "$degrade"; do
	if [ ! -x "$program" ]; then
		echo "Bail out! $program has not been built"
		exit 99
	fi
done

# Not /tmp: a task has one of its own at that place.
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/sbx-field.XXXXXX") || exit 99
clean_up()
{
	if [ "${FIELD_KEEP-}" = 1 ]; then
		echo "# kept: $scratch"
	else
		chmod -R u+rwX "$scratch" 2>/dev/null
		rm -rf "$scratch"
	fi
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# All that the cases need, where an ordinary user and a task can read it.
chmod 755 "$scratch"
mkdir "$scratch/lib" "$scratch/bin"
cp -R "$here/cases" "$here/job.sh" "$here/inside.sh" "$here"/*.py \
	"$here/tier-b.skip" "$scratch/lib/" || exit 99
# What another host cannot either.
[ -z "${FIELD_SKIP-}" ] || cat "$FIELD_SKIP" >>"$scratch/lib/tier-b.skip"
cp "$sbx_exec" "$scratch/bin/sbx-exec"
cp "$degrade" "$scratch/bin/degrade"
for library in "${LD_LIBRARY_PATH:-/nonexistent}"/libsandbox.so*; do
	[ -e "$library" ] && cp -P "$library" "$scratch/bin/"
done
chmod -R a+rX "$scratch/lib" "$scratch/bin"
if [ -e "$scratch/bin/libsandbox.so" ]; then
	export LD_LIBRARY_PATH=$scratch/bin
fi
export FIELD_LIB=$scratch/lib FIELD_BIN=$scratch/bin

as()
{
	local who=$1
	shift
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid "$user_id" --regid "$user_id" --clear-groups "$@"
	else
		"$@"
	fi
}

# job WHO CASE: all runs of it; what came of them in $scratch/WHO/CASE/tap.
job()
{
	local dir=$scratch/$1/$2
	mkdir -p "$dir"
	if [ "$1" = user ] && [ "$(id -u)" = 0 ]; then
		chown "$user_id:$user_id" "$dir"
	fi
	as "$1" bash "$FIELD_LIB/job.sh" "$1" "$2" "$dir" "$scratch/$1/tiers" \
		>"$scratch/$1/$2.tap" 2>&1 </dev/null
}

# tiers WHO: which of A and B a task can have here, one a line.
tiers()
{
	local tier wrap status
	for tier in A B; do
		wrap=()
		[ $tier = B ] && wrap=("$FIELD_BIN/degrade" --no-userns --)
		status=$(as "$1" "${wrap[@]}" "$FIELD_BIN/sbx-exec" \
			--status-fd 3 -- true 3>&1 >/dev/null \
			2>"$scratch/$1/tier-$tier.err" </dev/null)
		if [[ $status == *"\"tier\":\"$tier\""* ]]; then
			echo "$tier"
		fi
	done
}

cases=("$@")
if [ ${#cases[@]} = 0 ]; then
	for file in "$here"/cases/*.sh; do
		file=${file##*/}
		cases+=("${file%.sh}")
	done
fi
lanes=(user)
[ "$(id -u)" = 0 ] && lanes=(root user)

for who in "${lanes[@]}"; do
	mkdir "$scratch/$who"
	tiers "$who" >"$scratch/$who/tiers"
done
for name in "${cases[@]}"; do
	for who in "${lanes[@]}"; do
		while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
			wait -n
		done
		job "$who" "$name" &
	done
done
wait

n=0
failed=0
# result LINE: a line of TAP without its number.
result()
{
	local line=$1
	if [ "${SBX_REQUIRE_LIVE-}" = 1 ] && [[ $line == "ok - "*"# SKIP"* ]]; then
		line="not ${line/ # SKIP/: must not be skipped:}"
	fi
	n=$((n + 1))
	[[ $line == "not ok"* ]] && [[ $line != *"# TO""DO"* ]] &&
		failed=$((failed + 1))
	echo "${line/ok -/ok $n -}"
}

for who in "${lanes[@]}"; do
	for tier in A B; do
		if grep -qx $tier "$scratch/$who/tiers"; then
			result "ok - tier $tier: a task runs as $who"
		else
			reason=$(head -n 1 "$scratch/$who/tier-$tier.err")
			result "ok - tier $tier: a task runs as $who # SKIP ${reason:-another tier}"
		fi
	done
	for name in "${cases[@]}"; do
		if ! grep -qE '^(ok|not ok|# tier B)' "$scratch/$who/$name.tap"; then
			echo "not ok - $name: $who: no result" \
				>>"$scratch/$who/$name.tap"
		fi
		while IFS= read -r line; do
			case $line in
			'ok - '*|'not ok - '*) result "$line" ;;
			'#'*) printf '%s\n' "$line" ;;
			*) printf '# %s\n' "$line" ;;
			esac
		done <"$scratch/$who/$name.tap"
	done
done
echo "1..$n"
[ "$failed" = 0 ]
