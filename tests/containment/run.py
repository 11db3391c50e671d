#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [--tiers A,B] [--only PATTERN,...] [-v]

Does a jail hold what its policy says?  Each probe is tried without a jail,
where it must get through; in a jail, where it must not; and where the same is
granted, where it must again.  The outside decides what got through.

SBX_EXEC names the program, PROBE and DEGRADE those of the build folder.  As
root everything is done once as root and once as an ordinary user.
"""
import argparse
import fnmatch
import os
import stat
import subprocess
import sys
import tempfile
import time

import judge
from world import GROUP, World

HERE = os.path.dirname(os.path.abspath(__file__))
USER = 61234
LIMITS = ["--processes", "64", "--memory", "64M", "--cpu", "5"]


class Row:
    def __init__(self, line):
        (self.name, self.kind, self.judge, self.who, self.twin,
         flags) = line.split("\t")
        self.flags = flags.split(",")
        self.group = self.name.partition(".")[0]
        self.needs_rw = False

    def with_rw(self, yes):
        self.needs_rw = yes and "control-rw" in self.flags
        return self


def lines_of(name):
    with open(os.path.join(HERE, name), encoding="ascii") as f:
        return [l.rstrip("\n") for l in f
                if l.strip() and not l.startswith("#")]


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def ok(self, good, name, detail=""):
        self.count += 1
        print(f"{'' if good else 'not '}ok {self.count} - {name}", flush=True)
        if not good:
            self.failed += 1
            print(f"# {detail}")

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}")


class Suite:
    def __init__(self, options):
        self.tap = Tap()
        self.verbose = options.verbose
        self.sbx = os.path.abspath(os.environ.get("SBX_EXEC", "./sbx-exec"))
        self.program = os.path.abspath(os.environ.get(
            "PROBE", "tests/containment/probe"))
        self.tiers = options.tiers.split(",")
        self.degrade = os.path.abspath(os.environ.get(
            "DEGRADE", "tests/degrade/degrade"))
        self.enter("A")
        rows = [Row(l) for l in lines_of("probes.tsv")]
        self.check_table(rows)
        # A twin is needed wherever what it belongs to is.
        only = [r for r in rows if any(fnmatch.fnmatch(r.name, p)
                                       for p in options.only.split(","))]
        self.rows = [r for r in rows if r in only or
                     r.name in {o.twin for o in only}]
        self.excepted = {}
        also = os.environ.get("CONTAINMENT_SKIP")
        for line in lines_of("tier-b.skip") + (
                lines_of(os.path.abspath(also)) if also else []):
            name, who, reason = line.split("\t")
            for w in (who,) if who != "both" else ("root", "user"):
                self.excepted[name, w] = reason

    def enter(self, tier):
        self.tier = tier
        self.wrap = [self.degrade, "--no-userns", "--"] if tier == "B" else []

    def check_table(self, rows):
        names = {r.name: r for r in rows}
        bad = [r.name for r in rows if r.twin not in ("=", "-", "off") and
               names[r.twin].kind != "W" and names[r.twin].twin != "="]
        self.tap.ok(not bad and len(names) == len(rows),
                    "each twin in the table is a probe that must work", bad)

    # One run of some probes

    def command(self, world, who, jail):
        """The harness: a shell with secrets, and what it starts."""
        inner = [world.program, os.path.join(world.ws, "targets")]
        if jail is None:
            # Root's mounts and names for himself only.
            apart = who == "root" and world.rows[0].group == "priv"
            start = ["unshare", "-m", "-u", "--propagation", "private",
                     "--"] if apart else []
        else:
            start = self.wrap + [self.sbx, "--rwx", world.ws]
            if not world.ro.startswith(world.ws):
                start += ["--ro", world.ro]
            for fd in world.granted.values():
                start += ["--allow-fd", str(fd)]
            start += jail(world) + ["--"]
        prefix = list(world.prefix)
        if os.getuid() == 0 and who == "root":
            prefix = ["setpriv", "--groups", str(GROUP)]
        return prefix + ["sh", "-c", '"$@"; exit $?', world.argument] + \
            start + inner

    def run(self, world, who, jail, names):
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"),
               "HOME": world.ws, "HARNESS_SECRET": world.harness}
        if "LD_LIBRARY_PATH" in os.environ:
            env["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        argv = self.command(world, who, jail) + names
        if any(n.startswith("tty.") for n in names):
            world.use_terminal()
        begin = time.monotonic()
        out, err = self.start(world, argv, env)
        said = {}
        for line in out.decode("latin-1").split("\n"):
            if line.startswith("@") and line.count("\t") >= 2:
                name, verdict, detail = line[1:].split("\t", 2)
                said[name] = verdict, detail
        if self.verbose:
            print(f"# {who}: {len(names)} from {names[0]}: "
                  f"{time.monotonic() - begin:.1f} s; {err[-300:]}")
            for n, (v, d) in said.items():
                print(f"#   {n}: {v} {d}")
        return said, err.decode("latin-1").strip()[-300:]

    def start(self, world, argv, env):
        """Its output and its errors, by a pipe that is the user's own."""
        ours, theirs = os.pipe()
        if os.getuid() == 0:
            os.fchown(theirs, world.uid, world.uid)
        terminal = world.terminal
        with open(ours, "rb") as output, tempfile.TemporaryFile() as errors:
            with subprocess.Popen(
                    ["timeout", "-k", "1", "120"] * (not terminal) + argv,
                    env=env, cwd=world.ws, stdout=theirs, stderr=errors,
                    stdin=terminal.slave if terminal else subprocess.DEVNULL,
                    preexec_fn=lead if terminal else None,
                    pass_fds=list(world.granted.values()) + world.stray) as p:
                os.close(theirs)
                if terminal:
                    terminal.group = p.pid
                out = output.read()
            errors.seek(0)
            return out, errors.read()

    # What got through

    def reached(self, world, row, said):
        verdict, detail = said.get(row.name, ("silent", ""))
        kind, _, what = row.judge.partition(":")
        if kind == "does":
            return verdict == "did"
        if kind == "secret":
            token = world.tokens[row.name]
            if row.name.startswith("leak."):
                token = world.argument if row.name == "leak.arguments" \
                    else world.harness
            return token in detail
        if kind == "shows":
            return (world.known.get(what) or "\0") in detail
        if kind == "heard":
            return row.name in world.watch.heard
        if kind in ("changed", "path", "victim"):
            return world.before[row.name] != world.state(row)
        return self.seen(world, row, kind, what)

    def seen(self, world, row, kind, what):
        mine = os.path.join(world.ws, row.name, what or "file")
        mode = os.lstat(mine).st_mode if os.path.lexists(mine) else 0
        if kind == "setid":
            return bool(mode & (stat.S_ISUID | stat.S_ISGID))
        if kind == "device":
            return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
        if kind == "owner":
            return mode != 0 and os.lstat(mine).st_uid == world.uid
        if kind == "drop":
            return os.path.lexists(os.path.join(what, world.drop))
        if kind == "outlives":
            return bool(judge.named(world.outlives))
        if kind == "segment":
            return world.segment_left()
        return kind in world.terminal.seen

    def stage(self, rows, who, jail, twin=False, writable=False):
        """Each probe's name to: got through?, its word, what it said."""
        if not rows:
            return {}
        uid = os.getuid() if who == "root" or os.getuid() else USER
        for row in rows:
            row.with_rw(jail is None)
        first = jail and {"A": "1", "B": "parent"}[self.tier]
        world = World(rows, uid, self.program, twin, writable, first)
        try:
            said, err = self.run(world, who, jail, [r.name for r in rows])
            world.watch.stop()
            # A jail that does not start holds nothing back.
            none = ("silent" if "started" in said else "unstarted", err)
            return {r.name: (self.reached(world, r, said),
                             *said.get(r.name, none)) for r in rows}
        finally:
            world.remove()

    def stages(self, rows, who, make_jail, **more):
        """What may take others down, or needs a terminal, goes alone."""
        apart = [[r] for r in rows if "last" in r.flags]
        for group in ("tty", "priv", "res"):
            apart.append([r for r in rows if r.group == group and
                          "last" not in r.flags])
        result = self.stage([r for r in rows if r.group not in
                             ("tty", "priv", "res")], who, make_jail, **more)
        for some in apart:
            result.update(self.stage(some, who, make_jail, **more))
        return result

    # The three runs of each probe

    def control(self, who):
        result = self.stages(self.rows, who, None)
        able = set()
        for row in self.rows:
            if row.who not in ("both", who):
                continue
            got, verdict, detail = result[row.name]
            name = f"{who}: {row.name} gets through without a jail"
            if got:
                able.add(row.name)
            reason = self.excepted.get(("control:" + row.name, who))
            if not got and reason:
                self.tap.skip(name, reason)
            elif got or "lack" not in row.flags:
                self.tap.ok(got, name, f"{verdict} {detail}")
            else:
                self.tap.skip(name, f"not here: {verdict} {detail}")
        return able

    def jail_options(self, world):
        if any(r.group == "res" for r in world.rows):
            limits = list(LIMITS)
            if world.rows[0].name == "res.cpu":
                limits[-1] = "300ms"
            return limits
        return []

    def jailed(self, who, able):
        result = self.stages(self.rows, who, self.jail_options)
        for row in self.rows:
            got, verdict, detail = result[row.name]
            must = row.kind == "W"
            if row.name not in able and row.who in ("both", who):
                continue
            where = f"{who}, tier {self.tier}: {row.name}"
            said = f"{verdict} {detail}"
            reason = self.tier == "B" and self.excepted.get((row.name, who))
            if reason:
                print(f"# {where}: {'works' if got else 'does not'}; "
                      f"not asked for: {reason}")
            elif verdict in ("unstarted", "unknown") or \
                    verdict == "silent" and "last" not in row.flags:
                self.tap.ok(False, f"{where} has a verdict", said)
            else:
                self.tap.ok(got == must, f"{where} "
                            f"{'works' if must else 'is held back'}", said)

    def twins(self, who, able):
        same = [r for r in self.rows if r.twin == "=" and r.name in able]
        off = [r for r in self.rows if r.twin == "off" and r.name in able]
        self.twin(who, same, "where it is granted", lambda w: [], writable=True)
        self.twin(who, off, "with --protect off",
                  lambda w: ["--protect", "off"])
        self.twin(who, off, "with --no-protect",
                  lambda w: ["--no-protect", w.ws])

    def twin(self, who, rows, how, jail, **more):
        result = self.stage(rows, who, jail, twin=True, **more)
        for row in rows:
            got, verdict, detail = result[row.name]
            reason = self.tier == "B" and self.excepted.get(
                (row.name + "=", who))
            where = f"{who}, tier {self.tier}: {row.name} works {how}"
            if reason:
                print(f"# {where}: not asked for: {reason}")
            else:
                self.tap.ok(got, where, f"{verdict} {detail}")

    def tier_is_here(self, who):
        prefix = []
        if os.getuid() == 0 and who == "user":
            prefix = ["setpriv", "--reuid", str(USER), "--regid", str(USER),
                      "--clear-groups"]
        done = subprocess.run(
            prefix + self.wrap + [self.sbx, "--status-fd", "1", "--", "true"],
            capture_output=True, stdin=subprocess.DEVNULL, check=False)
        name = f"{who}: tasks run in tier {self.tier} here"
        if f'"tier":"{self.tier}"' in done.stdout.decode().replace(" ", ""):
            self.tap.ok(True, name)
            return True
        why = done.stderr.decode("latin-1").strip().replace("\n", " ")
        if os.environ.get("SBX_REQUIRE_LIVE"):
            self.tap.ok(False, name, why)
        else:
            self.tap.skip(name, why)
        return False

    def all(self):
        for who in ("root", "user") if os.getuid() == 0 else ("user",):
            if who == "user" and os.getuid() == 0 and subprocess.run(
                    ["setpriv", "--reuid", str(USER), "--clear-groups",
                     "test", "-x", self.sbx], check=False).returncode:
                self.tap.skip("an ordinary user",
                              "he cannot reach the build folder")
                continue
            self.enter("A")
            able = self.control(who)
            for tier in self.tiers:
                self.enter(tier)
                if not self.tier_is_here(who):
                    continue
                self.jailed(who, able)
                self.twins(who, able)
        print(f"1..{self.tap.count}")
        return 1 if self.tap.failed else 0


def lead():
    """In the child: its input is its terminal."""
    import fcntl
    import termios
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def raise_pids():
    """So far that no victim has a number that the task's own can have."""
    for _ in range(2000):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        if pid > 1500:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiers", choices=("A", "B", "A,B"), default="A,B")
    parser.add_argument("--only", default="*")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    suite = Suite(options)
    for program in (suite.sbx, suite.program, suite.degrade):
        if not os.access(program, os.X_OK):
            print(f"Bail out! {program} has not been built")
            return 99
    raise_pids()
    try:
        return suite.all()
    finally:
        for removal in World.removals:
            removal.wait()


if __name__ == "__main__":
    sys.exit(main())
