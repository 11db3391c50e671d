# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# --no-protect opens one tree: git's settings and hooks there, and nowhere else.
needs git
options --no-protect "$W/free"

prepare()
{
	mkdir "$W/free"
	git init -q -b main "$W/free/repo"
	git init -q -b main "$W/kept"
}

inside()
{
	git -C free/repo config user.name Field
	git -C free/repo config user.email field@example.org
	same "$(git -C free/repo config user.name)" Field
	printf '#!/bin/sh\nexit 1\n' >free/repo/.git/hooks/pre-commit
	chmod +x free/repo/.git/hooks/pre-commit
	if git -C free/repo commit -q --allow-empty -m refused; then
		return 1
	fi
	rm free/repo/.git/hooks/pre-commit
	git -C free/repo commit -q --allow-empty -m made
	git init -q free/second
	git -C free/repo submodule status
	denied git -C kept config user.name Other
}

outside()
{
	test "$(git -C "$W/free/repo" log --format=%an)" = Field
	test -d "$W/free/second/.git/objects"
	! in_jail || test "$(grep -c Other "$W/kept/.git/config" || true)" = 0
}
