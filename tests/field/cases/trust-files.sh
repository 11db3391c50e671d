# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Under the default protection a project's own files can be edited, also those
# with a leading dot; start-up files and settings of tools cannot.

prepare()
{
	echo old >"$W/.bashrc"
	mkdir "$W/.vscode"
	echo '{}' >"$W/.vscode/settings.json"
	echo '{}' >"$W/package.json"
}

inside()
{
	local f
	mkdir .github .config .husky src
	for f in package.json .npmrc AGENTS.md .editorconfig .gitignore .env \
		.github/ci.yml .config/tool .husky/pre-push src/.hidden \
		bashrc .bashrc.txt git .gitattributes Makefile; do
		echo new >"$f"
		echo more >>"$f"
		mv "$f" "$f.tmp"
		mv "$f.tmp" "$f"
	done
	denied sh -c 'echo new >>.bashrc'
	denied sh -c 'echo new >.profile'
	denied sh -c 'echo new >src/.envrc'
	denied sh -c 'echo new >.MCP.json'
	denied sh -c 'echo new >.vscode/settings.json'
	denied sh -c 'echo new >.vscode/tasks.json'
	denied mkdir -p src/.vscode
	denied cp package.json src/.zshrc
	denied ln package.json src/.bash_profile
	denied ln -s package.json src/.vimrc
	denied mv git src/.exrc
	denied rm .bashrc
	denied truncate -s 0 .vscode/settings.json
	denied mv .vscode old-settings
}

outside()
{
	test "$(tail -n 1 "$W/package.json")" = more
	if in_jail; then
		test "$(cat "$W/.bashrc")" = old
		test "$(cat "$W/.vscode/settings.json")" = '{}'
		test ! -e "$W/.profile"
		test ! -e "$W/src/.envrc"
	fi
}
