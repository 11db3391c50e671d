# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# SQLite with a write-ahead log, written to by several processes at once.

inside()
{
	cat >work.py <<'END'
import os
import sqlite3
import sys

def db():
    return sqlite3.connect("data.db", timeout=60)

first = db()
assert first.execute("pragma journal_mode=wal").fetchone()[0] == "wal"
first.execute("create table t (who int, n int)")
first.commit()
pids = []
for who in range(3):
    pid = os.fork()
    if pid == 0:
        mine = db()
        for n in range(20):
            with mine:
                mine.execute("insert into t values (?, ?)", (who, n))
        os._exit(0)
    pids.append(pid)
for pid in pids:
    assert os.waitpid(pid, 0)[1] == 0
assert os.path.exists("data.db-wal") and os.path.exists("data.db-shm")
assert first.execute("select count(*) from t").fetchone()[0] == 60
first.execute("vacuum")
assert first.execute("pragma journal_mode=delete").fetchone()[0] == "delete"
first.execute("begin exclusive")
first.rollback()
assert first.execute("pragma integrity_check").fetchone()[0] == "ok"
first.close()
print(sorted(f for f in os.listdir(".") if f.startswith("data")))
END
	py work.py
}

outside()
{
	test "$(cat "$OUT")" = "['data.db']"
}
