# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# git under the default protection: commit, amend, branch, rebase, merge, stash,
# cherry-pick, tag, gc and fsck in a repository that is there already.
needs git

prepare()
{
	git init -q -b main "$W"
	git -C "$W" config user.name Field
	git -C "$W" config user.email field@example.org
	echo 0 >"$W/file"
	git -C "$W" add file
	git -C "$W" commit -q -m start
}

commit()
{
	echo "$1" >"$1"
	git add "$1"
	git commit -q -m "$1"
}

inside()
{
	commit one
	git commit -q --amend -m 'one, again'
	git checkout -q -b topic HEAD~1
	commit two
	commit three
	git rebase -q main
	git checkout -q main
	git merge -q --no-ff -m merged topic
	echo changed >file
	git stash -q
	same "$(cat file)" 0 'file after the stash'
	git stash pop -q
	same "$(cat file)" changed 'file after the pop'
	git checkout -q file
	git checkout -q -b other HEAD~1
	git cherry-pick topic >/dev/null
	git reset -q --hard HEAD~1
	git tag -a -m tagged v1 topic
	git mv one renamed
	git rm -q --cached file
	git reset -q --hard
	git gc -q --prune=now
	git fsck --full --strict 2>/dev/null
	git reflog expire --expire=now --all
	git clean -q -f -d
	git status --porcelain
}

outside()
{
	test ! -s "$OUT"
	test "$(git -C "$W" rev-list --count main)" = 5
	test "$(git -C "$W" show main:three)" = three
	test -z "$(find "$W/.git" -name '*.lock')"
	git -C "$W" fsck --full --strict 2>/dev/null
}
