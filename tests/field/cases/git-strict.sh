# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What git runs or obeys later stays as it is under the default protection:
# no new repository, hook or setting, by no way round; the rest of git works.
needs git

prepare()
{
	git init -q -b main "$W/repo"
	git -C "$W/repo" config user.name Field
	git -C "$W/repo" config user.email field@example.org
	cp "$W/repo/.git/config" "$H/config"
	mkdir -p "$W/repo/.git/hooks"
}

half_then_rename()
{
	mkdir "$1" && mv "$1" "$2"
}

inside()
{
	cd "$W/repo" || return
	echo new >file
	git add file
	git commit -q -m works
	denied git config core.fsmonitor /bin/false
	denied sh -c 'echo "#!/bin/sh" >.git/hooks/pre-commit'
	denied ln -s /bin/true .git/hooks/post-commit
	denied mv .git/config .git/config.old
	in_jail || mv .git/config.old .git/config
	denied mkdir -p nested/.git
	mkdir other
	denied half_then_rename half other/.git
	denied half_then_rename plain .git/info/attributes
	denied sh -c 'mkdir -p sub && echo "gitdir: /tmp/x" >sub/.git'
	denied git init -q "$W/fresh"
	denied mv .git moved
	echo more >>file
	in_jail || mv moved .git
	in_jail || rm -f .git/hooks/p*
	git commit -q -a -m 'works still'
}

outside()
{
	test "$(git -C "$W/repo" rev-list --count main)" = 2
	if in_jail; then
		cmp "$W/repo/.git/config" "$H/config"
		test -z "$(find "$W/repo/.git/hooks" -name 'p*-commit')"
		test ! -e "$W/repo/nested/.git"
		test ! -e "$W/repo/other/.git"
	fi
}
