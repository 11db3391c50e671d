# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# With --protect existing, git makes repositories, clones and worktrees; what
# was there keeps its hooks and settings.
needs git
options --protect existing

prepare()
{
	git init -q -b main "$W/old"
	git -C "$W/old" -c user.name=F -c user.email=f@example.org \
		commit -q --allow-empty -m start
}

inside()
{
	git init -q -b main fresh
	git -C fresh config user.name Field
	git -C fresh config user.email field@example.org
	echo 1 >fresh/file
	git -C fresh add file
	git -C fresh commit -q -m first
	git clone -q fresh copy
	git clone -q --bare fresh bare.git
	git -C fresh worktree add -q ../side -b side
	echo 2 >side/file
	git -C side commit -q -a -m second
	git -C copy fetch -q origin
	same "$(git -C copy log --format=%s origin/side | head -n 1)" second
	git -C copy pull -q origin side
	git -C fresh worktree remove side
	printf '#!/bin/sh\necho hooked\n' >fresh/.git/hooks/pre-commit
	chmod +x fresh/.git/hooks/pre-commit
	git -C fresh commit -q --allow-empty -m hooked
	denied git -C old config user.name Other
	denied sh -c 'echo "#!/bin/sh" >>old/.git/config'
	denied mv old/.git old/moved
}

outside()
{
	git -C "$W/fresh" fsck 2>/dev/null
	test "$(git -C "$W/copy" show HEAD:file)" = 2
	grep -q hooked "$OUT" "$ERR"
	! in_jail || test -d "$W/old/.git"
}
