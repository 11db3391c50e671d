#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped schema accepts the example policies and refuses bad ones.
# TAP on stdout.

top=${srcdir:-.}
schema=$top/share/policy.schema.json

if ! python3 -c 'import jsonschema.validators as v; v.Draft202012Validator' \
	2>/dev/null; then
	echo "schema.sh: SKIPPED: python3 with jsonschema >= 4.0 is needed" >&2
	if [ "$SBX_REQUIRE_LIVE" = 1 ]; then
		echo "1..1"
		echo "not ok 1 - python3 jsonschema is there (SBX_REQUIRE_LIVE=1)"
		exit 1
	fi
	# In TAP the plan is the skip: the driver takes 77 for an error.
	echo "1..0 # SKIP python3 jsonschema is not installed"
	exit 0
fi

exec python3 - "$schema" "$top"/examples/policies/*.json <<'END'
import json
import sys

from jsonschema.validators import Draft202012Validator

GOOD = [
    ("the smallest policy", {"version": 1}),
    ("rights in any order", {"version": 1, "files": [
        {"path": "/a", "rights": "xwr", "optional": True}]}),
]
BAD = [
    ("no version", {"name": "x"}),
    ("another version", {"version": 2}),
    ("an unknown key", {"version": 1, "filez": []}),
    ("an unknown key of a file",
     {"version": 1, "files": [{"path": "/a", "rigths": "r"}]}),
    ("a relative path",
     {"version": 1, "files": [{"path": "a", "rights": "r"}]}),
    ("a path with ..",
     {"version": 1, "files": [{"path": "/a/../b", "rights": "r"}]}),
    ("a right given twice",
     {"version": 1, "files": [{"path": "/a", "rights": "rr"}]}),
    ("a limit of 0", {"version": 1, "limits": {"wall_ms": 0}}),
    ("a grant of two kinds", {"version": 1, "grants": [
        {"name": "g", "connect": "tcp:h:1", "open": "/a"}]}),
    ("a network of a later version", {"version": 1, "network": "broker"}),
]


def objects(node):
    """Every schema of an object, to see that it is closed."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = load(sys.argv[1])
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
results = [("no object takes unknown keys",
            all(o.get("additionalProperties", True) is not True
                for o in objects(schema)))]
for path in sys.argv[2:]:
    results.append((path.rsplit("/", 1)[-1] + " is accepted",
                    validator.is_valid(load(path))))
for name, policy in GOOD:
    results.append((name + " is accepted", validator.is_valid(policy)))
for name, policy in BAD:
    results.append((name + " is refused", not validator.is_valid(policy)))

print("1..%d" % len(results))
for number, (name, good) in enumerate(results, 1):
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))
sys.exit(0 if all(good for _, good in results) else 1)
END
