# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A virtual environment: made, used by its name, a package installed by hand.

inside()
{
	py -m venv --without-pip env
	mkdir pkg
	env/bin/python -c 'import sys; assert sys.prefix != sys.base_prefix'
	site=$(env/bin/python -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))')
	echo 'def word(): return "imported"' >"$site/mine.py"
	printf '#!%s\nimport mine\nprint(mine.word())\n' \
		"$PWD/env/bin/python" >env/bin/tool
	chmod +x env/bin/tool
	same "$(env/bin/tool)" imported
	test -d "$site/__pycache__"
	py -m compileall -q pkg
	py -m venv --without-pip --copies copies
	copies/bin/python -c 'import ssl, ctypes, sqlite3, json'
	(. env/bin/activate && same "$(python -c 'import mine; print(mine.word())')" \
		imported)
}
