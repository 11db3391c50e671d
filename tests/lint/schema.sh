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
    ("a mandate", {"version": 1, "network": "broker", "mandate": {
        "purpose": "p", "never_together": [["a", "b"]], "rules": [
            {"kind": "connect", "match": "tcp:*.a.org:1-9",
             "decision": "grant", "budget": {"bytes_in": 1, "seconds": 2}},
            {"kind": "open", "match": "${d}/x/", "rights": "rw",
             "decision": "ask", "labels": ["private-data"]},
            {"kind": "data", "match": "c*", "decision": "deny"},
            {"kind": "task", "match": "/", "rights": "x",
             "decision": "narrow"}]}}),
    ("a grant with a budget and labels", {"version": 1, "grants": [
        {"name": "g", "connect": "tcp:h:1", "labels": ["egress"],
         "budget": {"uses": 1, "bytes_out": 5, "cost": 7}}]}),
]


def rule(**members):
    """A policy of one rule, which is good but for these members."""
    good = {"kind": "open", "match": "/a", "decision": "grant"}
    rules = [{k: v for k, v in {**good, **members}.items() if v is not None}]
    return {"version": 1, "mandate": {"rules": rules}}


GOOD.append(("the rule that bad ones are made of", rule()))
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
    ("an unknown network", {"version": 1, "network": "bridge"}),
    ("an unknown key of a mandate", {"version": 1, "mandate": {"rule": []}}),
    ("a set of one label",
     {"version": 1, "mandate": {"never_together": [["a"]]}}),
    ("a rule without a decision", rule(decision=None)),
    ("a rule without a match", rule(match=None)),
    ("a rule of an unknown kind", rule(kind="fd")),
    ("a rule of an unknown decision", rule(decision="allow")),
    ("a rule for a relative path", rule(match="a")),
    ("a rule to connect to a path", rule(kind="connect")),
    ("a rule to open with x", rule(rights="x")),
    ("a denial with a budget", rule(decision="deny", budget={"uses": 1})),
    ("a denial with labels", rule(decision="deny", labels=["a"])),
    ("a budget of 0", rule(budget={"uses": 0})),
    ("an unknown budget", rule(budget={"bytes": 1})),
    ("a label with a blank", rule(labels=["a b"])),
    ("a grant with an unknown budget", {"version": 1, "grants": [
        {"name": "g", "open": "/a", "budget": {"byte": 1}}]}),
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
