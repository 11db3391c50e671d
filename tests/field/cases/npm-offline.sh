# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# npm installs a package from a tarball, without a network, and runs its script.
needs node npm

inside()
{
	mkdir -p package app
	cat >package/package.json <<'END'
{ "name": "greet", "version": "1.0.0", "bin": { "greet": "greet.js" },
  "scripts": { "postinstall": "node -e \"fs.writeFileSync('ran', '1')\"" } }
END
	printf '#!/usr/bin/env node\nconsole.log("hello");\n' >package/greet.js
	echo '{ "name": "app" }' >app/package.json
	export npm_config_update_notifier=false npm_config_fund=false \
		npm_config_audit=false npm_config_foreground_scripts=true
	tar -czf greet.tgz package
	cd app || return
	npm install --offline --silent ../greet.tgz >/dev/null
	test -L node_modules/.bin/greet
	test -e node_modules/greet/ran
	same "$(node_modules/.bin/greet)" hello
}
