# SPDX-License-Identifier: Apache-2.0
"""The host as the probes find it: secrets, victims, repositories, listeners."""
import contextlib
import ctypes
import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import tempfile

import judge
from watch import Terminal, Watch

DEEP = "d" * 200        # a folder that lies often in itself
LONGEST = 4095          # the kernel tells this path, and none that is longer
GROUP = 61999           # a supplementary group of a root harness
# Planted as far as a probe is about it: by the first part of its path.
GIT = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    ".git/hooks/pre-commit": "#!/bin/sh\n",
    ".git/info/exclude": "",
    ".git/objects/info/packs": "",
    ".git/refs/heads/main": "0" * 40 + "\n",
}
PLANTED = {
    ".git/modules": {".git/modules/sub/config": "[core]\n",
                     ".git/modules/sub/HEAD": "ref: refs/heads/main\n"},
    ".git": GIT,
    ".bashrc": {".bashrc": "# nothing\n"},
    ".mcp.json": {".mcp.json": "{}\n"},
    ".claude": {".claude/settings.json": "{}\n"},
    ".vscode": {".vscode/settings.json": "{}\n"},
    "AGENTS.md": {"AGENTS.md": "hello\n"},
    "package.json": {"package.json": "{}\n"},
    "plain": {"plain/old": "hello\n"},
    "deep": {"deep/project/.git/HEAD": "ref: refs/heads/main\n",
             "deep/project/.git/hooks/README": "none\n"},
}


def write(path, text, mode=0o666):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(path, mode)


class Victim:
    """A process with a secret, its own for each probe."""

    def __init__(self, prefix, program, token, cwd):
        self.token = token
        env = {"VICTIM_SECRET": token}
        self.child = subprocess.Popen(
            prefix + [program, "--victim"], cwd=cwd, env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True)
        self.child.stdin.write(token.encode())
        self.child.stdin.flush()

    def ready(self):
        address, fd = self.child.stdout.readline().split()
        self.address = int(address, 16)
        self.fd = int(fd)

    def end(self):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()


class World:
    """One set of all of it, for one run; remove() undoes everything."""

    removals = []

    def __init__(self, rows, uid, program, twin=False, writable=False,
                 first=None):
        self.rows, self.uid, self.first = rows, uid, first
        self.writable = writable        # granted descriptors may be written
        self.tokens = {r.name: secrets.token_hex(16) for r in rows}
        self.harness = secrets.token_hex(16)
        self.argument = "argument-secret-" + secrets.token_hex(16)
        self.targets, self.known = {}, {}
        self.victims, self.granted, self.stray = {}, {}, []
        self.terminal = None
        self.watch = Watch()
        base = os.environ.get("TMPDIR", "/var/tmp")
        self.base = tempfile.mkdtemp(prefix="sbx-contain.", dir=base)
        os.chmod(self.base, 0o755)
        self.ws = os.path.join(self.base, "ws")
        self.ro = os.path.join(self.ws if twin else self.base, "ro")
        self.out = os.path.join(self.ws if twin else self.base, "out")
        self.prefix = []
        if uid != os.getuid():
            self.prefix = ["setpriv", "--reuid", str(uid), "--regid",
                           str(uid), "--clear-groups"]
        self._plant(program)

    # Trees

    def _plant(self, program):
        self.program = os.path.join(self.ws, "bin", "probe")
        write(self.program, "", 0o755)
        shutil.copyfile(program, self.program)
        for tree in (self.out, self.ro):
            os.makedirs(tree, exist_ok=True)
        self.targets.update(ws=self.ws, files=self.out, ro=self.ro)
        for row in self.rows:
            self._plant_row(row)
        self._own(self.base)
        self._plant_rest(program)
        self._processes()
        self._sockets()
        self._ipc()
        self._facts()
        path = os.path.join(self.ws, "targets")
        write(path, "".join(f"{k}={v}\n" for k, v in self.targets.items()))
        self._own(path)
        self._before()
        self.watch.start()

    def _plant_row(self, row):
        token = self.tokens[row.name]
        mine = os.path.join(self.ws, row.name)
        # Whoever has no place of his own starts in the workspace.
        if row.group in ("files", "ro", "grant", "unix", "priv", "trust",
                         "work"):
            os.mkdir(mine)
        if row.group in ("files", "ro"):
            self._plant_tree(row, token)
        if row.judge.startswith("path:"):
            self._plant_project(mine, row.judge[5:])
        if row.name == "trust.linked-write":
            first = os.path.join(self.out, "linked")
            write(first, "hello\n")
            os.link(first, os.path.join(mine, "linked"))
        if row.name == "work.git":
            self._git(os.path.join(mine, "project"))

    def _plant_project(self, mine, path):
        write(os.path.join(mine, "readme"), "hello\n", 0o644)
        for first, files in PLANTED.items():
            if path == first or path.startswith(first + "/"):
                for name, text in files.items():
                    write(os.path.join(mine, name), text, 0o644)

    def _plant_tree(self, row, token):
        place = os.path.join(self.out if row.group == "files" else self.ro,
                             row.name)
        write(os.path.join(place, "secret"), token)
        write(os.path.join(place, "run"), f"#!/bin/sh\necho {token}\n", 0o755)
        if row.name.endswith(("-attribute", "-attributes")):
            with contextlib.suppress(OSError):
                os.setxattr(os.path.join(place, "secret"), "user.secret",
                            token.encode())
        # A name can be the secret, too.
        if row.name == "files.list":
            write(os.path.join(place, "dir", token), "")
        if row.name == "files.write-fifo":
            os.mkfifo(os.path.join(place, "fifo"))
            self.watch.fifo(os.path.join(place, "fifo"))

    def _git(self, place):
        if not shutil.which("git"):
            return
        self.targets["git"] = "yes"
        os.makedirs(place)
        write(os.path.join(place, "file"), "one\n")
        git = ["git", "-C", place, "-c", "user.name=a", "-c",
               "user.email=a@example.com"]
        for words in (["init", "-q"], ["add", "file"],
                      ["commit", "-q", "-m", "one"]):
            subprocess.run(git + words, check=True, capture_output=True)

    def _plant_deep(self, row):
        """A file with a path of that many bytes, and a name to see it by."""
        mark = os.path.join(self.ws, row.name, "mark")
        rest = LONGEST - len(os.path.dirname(mark)) - len("//.envrc")
        if row.name != "trust.too-long-by-proc":
            rest += 1000
        # What is left for the last folder can be a name.
        times, left = divmod(rest - 50, len(DEEP) + 1)
        fds = [os.open(os.path.dirname(mark), os.O_PATH)]
        for name in [DEEP] * times + ["e" * (left + 50)]:
            os.mkdir(name, dir_fd=fds[-1])
            os.chown(name, self.uid, self.uid, dir_fd=fds[-1])
            fds.append(os.open(name, os.O_PATH, dir_fd=fds[-1]))
        write(mark, "hello\n")
        os.chown(mark, self.uid, self.uid)
        os.link(mark, ".envrc", dst_dir_fd=fds[-1])
        for fd in fds:
            os.close(fd)
        self.targets["deep"] = DEEP
        self.targets[f"last.{row.name}"] = name

    def _own(self, path):
        """All of it is the task's user's, and open to anybody."""
        for where, dirs, files in os.walk(path):
            for name in dirs + files + ["."]:
                full = os.path.join(where, name)
                if os.getuid() == 0:
                    os.chown(full, self.uid, self.uid, follow_symlinks=False)
                if not os.path.islink(full) and os.path.isdir(full):
                    os.chmod(full, 0o777)
        if os.path.isfile(path) and os.getuid() == 0:
            os.chown(path, self.uid, self.uid)
        os.chmod(self.base, 0o755)

    def _plant_rest(self, program):
        for row in self.rows:
            if row.name.startswith("trust.too-long"):
                self._plant_deep(row)
        if os.getuid() == 0 and any(r.name == "priv.run-setuid"
                                    for r in self.rows):
            path = os.path.join(self.ws, "priv.run-setuid", "program")
            shutil.copyfile(program, path)
            other = 61235 if self.uid == 0 else 0
            os.chown(path, other, other)
            os.chmod(path, 0o4755)
            self.known["setuid"] = f"euid={other}"
        for row in self.rows:
            if row.group == "grant" or row.name == "work.grant-read":
                self._grant_file(row)
            if row.name == "work.grant-socket":
                ours, theirs = socket.socketpair()
                self.watch.add(ours)
                self._grant(row.name, theirs.detach())
        if any(r.group == "stray" or r.name == "proc.root"
               for r in self.rows):
            self._strays()

    def _grant_file(self, row):
        path = os.path.join(self.base, "grants", row.name)
        write(path, self.tokens[row.name] + "\n" * 4096)
        self._own(os.path.dirname(path))
        flags = os.O_RDWR if self.writable or row.needs_rw else os.O_RDONLY
        if row.name == "work.grant-read" or "=" != row.twin and \
                not row.needs_rw:
            flags = os.O_RDONLY
        self._grant(row.name, os.open(path, flags))

    def _grant(self, name, fd):
        high = fcntl.fcntl(fd, fcntl.F_DUPFD, 40)
        os.close(fd)
        self.granted[name] = high
        self.targets[f"fd.{name}"] = high
        self.targets[f"granted.{high}"] = name

    def _strays(self):
        """Open in the harness, and granted to nobody."""
        token = secrets.token_hex(16)
        path = os.path.join(self.base, "stray", "secret")
        write(path, token)
        for name in ("stray.read", "stray.openat", "proc.root"):
            self.tokens[name] = token
        ours, theirs = socket.socketpair()
        self.watch.add(ours)
        for name, fd in (("file", os.open(path, os.O_RDWR)),
                         ("dir", os.open(os.path.dirname(path), os.O_RDONLY)),
                         ("socket", theirs.detach())):
            high = fcntl.fcntl(fd, fcntl.F_DUPFD, 90)
            os.close(fd)
            self.stray.append(high)
            self.targets[f"stray.{name}"] = high
        self.targets["stray.path"] = path

    # Processes

    def _processes(self):
        wanted = [r for r in self.rows if r.group == "proc" or
                  r.name == "leak.processes"]
        for row in wanted:
            cwd = os.path.join(self.base, "victims", row.name)
            write(os.path.join(cwd, "secret"), self.tokens[row.name])
            self.victims[row.name] = Victim(self.prefix, self.program,
                                            self.tokens[row.name], cwd)
        for name, victim in self.victims.items():
            victim.ready()
            self.targets[f"victim.{name}"] = victim.child.pid
            self.targets[f"address.{name}"] = victim.address
            self.targets[f"victim_fd.{name}"] = victim.fd
        self.targets["comm.proc.outlive"] = self.outlives = \
            "sbx" + secrets.token_hex(5)
        # Without a jail there is none that could be attacked without harm.
        self.targets["first"] = self.first or next(
            (v.child.pid for n, v in self.victims.items()
             if n == "proc.first-mem"), 0)
        self.targets["patience"] = 400 if self.first else 5000
        self.targets["cpu"] = max(os.sched_getaffinity(0))

    # Listeners

    def _free_port(self, kind):
        with socket.socket(socket.AF_INET, kind) as s:
            s.bind(("127.0.0.1", 0))
            return s.getsockname()[1]

    def _sockets(self):
        stream, dgram = socket.SOCK_STREAM, socket.SOCK_DGRAM
        w, t = self.watch, self.targets
        for name, family, kind in (
                ("tcp4", socket.AF_INET, stream),
                ("tcp6", socket.AF_INET6, stream),
                ("udp4", socket.AF_INET, dgram),
                ("udp6", socket.AF_INET6, dgram)):
            t[name] = w.inet(family, kind)
        names = {r.name for r in self.rows}
        if "net.listen" in names:
            port = t["port.net.listen"] = self._free_port(stream)
            w.caller(socket.AF_INET, ("127.0.0.1", port))
        if "net.udp-receive" in names:
            port = t["port.net.udp-receive"] = self._free_port(dgram)
            w.sender(("127.0.0.1", port),
                     self.tokens["net.udp-receive"].encode())
        self._local_sockets(names)

    def _local_sockets(self, names):
        stream, dgram = socket.SOCK_STREAM, socket.SOCK_DGRAM
        mark = secrets.token_hex(8)
        w, t = self.watch, self.targets
        for name, place, kind in (
                ("stream", self.base, stream), ("dgram", self.base, dgram),
                ("ws-stream", self.ws, stream), ("ws-spare", self.ws, stream),
                ("ws-dgram", self.ws, dgram), ("ro-stream", self.ro, stream)):
            path = os.path.join(place, name)
            t[f"unix.{name}"] = path
            w.unix(kind, path)
            if os.getuid() == 0:
                os.chown(path, self.uid, self.uid)
        for name, kind in (("abstract", stream), ("abstract-dgram", dgram)):
            t[f"unix.{name}"] = f"@sbx-{name}-{mark}"
            w.unix(kind, f"\0sbx-{name}-{mark}".encode())
        t["unix.offer"] = f"@sbx-offer-{mark}"
        if "unix.abstract-listen" in names:
            w.caller(socket.AF_UNIX, f"\0sbx-offer-{mark}".encode())
        self.known["unix-name"] = t["unix.abstract"]
        self.known["tcp-port"] = f"0100007F:{t['tcp4']:04X}"

    # System V and POSIX objects, keys

    def _ipc(self):
        self.remove_ipc = []
        self.leave = secrets.randbelow(1 << 30) + 1
        self.targets["ipc.leave"] = self.leave
        if any(r.group == "ipc" or r.name == "leak.proc-keys"
               for r in self.rows):
            self._sysv()
            self._queue()
            self._key()

    def _sysv(self):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        key = self.targets["ipc.key"] = secrets.randbelow(1 << 30) + 1
        shm = libc.shmget(key, 4096, 0o1666)
        if shm >= 0:
            at = libc.shmat(shm, None, 0)
            token = self.tokens.get("ipc.shm-read", "").encode()
            ctypes.memmove(at, token, len(token))
            self.remove_ipc.append(lambda: libc.shmctl(shm, 0, None))
            libc.shmdt(ctypes.c_void_p(at))
        queue = libc.msgget(key, 0o1666)
        if queue >= 0:
            token = self.tokens.get("ipc.msg-read", "").encode()
            message = (1).to_bytes(8, "little") + token
            libc.msgsnd(queue, message, len(token), 0)
            self.remove_ipc.append(lambda: libc.msgctl(queue, 0, None))

    def _queue(self):
        rt = ctypes.CDLL("librt.so.1", use_errno=True)
        name = self.targets["ipc.mq"] = "/sbx-" + secrets.token_hex(8)
        old = os.umask(0)
        queue = rt.mq_open(name.encode(), os.O_RDWR | os.O_CREAT, 0o666, None)
        os.umask(old)
        if queue < 0:
            return
        token = self.tokens.get("ipc.mq-read", "").encode()
        rt.mq_send(queue, token, len(token), 0)
        rt.mq_close(queue)
        self.remove_ipc.append(lambda: rt.mq_unlink(name.encode()))

    def _key(self):
        name = self.targets["ipc.key-name"] = "sbx-" + secrets.token_hex(8)
        self.known["key-name"] = name
        path = os.path.join(self.base, "key")
        write(path, self.tokens.get("ipc.key-read", "none"))
        self.key_targets = os.path.join(self.base, "key-targets")
        write(self.key_targets, f"ipc.key-name={name}\nws={self.ws}\n"
              f"ipc.key-secret={path}\n")
        self._key_do("ipc.key-plant")
        os.unlink(path)
        self.remove_ipc.append(lambda: self._key_do("ipc.key-remove"))

    def _key_do(self, what):
        subprocess.run(self.prefix + [self.program, self.key_targets, what],
                       capture_output=True, check=False)

    def segment_left(self):
        libc = ctypes.CDLL(None)
        left = libc.shmget(self.leave, 1, 0)
        if left >= 0:
            libc.shmctl(left, 0, None)
        return left >= 0

    # What the host knows of itself

    def _facts(self):
        self.known["hostname"] = f"name={socket.gethostname()}."
        self.known["session"] = f"session={os.getsid(0)}."
        self.known["group"] = f"group={GROUP}."
        try:
            with open("/etc/machine-id", encoding="ascii") as f:
                self.known["machine-id"] = f.read().strip() or None
        except OSError:
            self.known["machine-id"] = None
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as f:
            self.known["boot-id"] = f.read().strip()
        with open("/proc/self/mountinfo", encoding="utf-8") as f:
            for line in f:
                if " / / " in line:
                    # Cut before what the listing may vary in.
                    self.known["mounts"] = \
                        line[line.index(" / / "):].strip()[:60]
        with open("/proc/self/cgroup", encoding="ascii") as f:
            path = f.readline().strip()
            self.known["cgroup"] = None if path.endswith(":/") else path
        others = [n for _, n in socket.if_nameindex() if n != "lo"]
        self.targets["interface"] = others[0] if others else ""
        self.targets["drop"] = self.drop = "sbx-drop-" + secrets.token_hex(8)
        stat = os.path.join(self.out, "files.stat", "secret")
        if os.path.exists(stat):
            self.known["inode"] = f"inode={os.stat(stat).st_ino}."
        if os.path.exists("/usr/bin/python3"):
            self.targets["python"] = "yes"
        self._handle()

    def _handle(self):
        path = os.path.join(self.out, "files.read-handle", "secret")
        if not os.path.exists(path):
            return
        room = ctypes.create_string_buffer(8 + 128)
        room[0] = 128
        mount = ctypes.c_int()
        rc = ctypes.CDLL(None).name_to_handle_at(
            -100, path.encode(), room, ctypes.byref(mount), 0)
        if rc == 0:
            size = int.from_bytes(room.raw[:4], "little")
            kind = int.from_bytes(room.raw[4:8], "little")
            self.targets["handle.files.read-handle"] = \
                room.raw[8:8 + size].hex()
            self.targets["handle_type.files.read-handle"] = kind

    # Before and after

    def place(self, row):
        if row.group == "grant":
            return os.path.join(self.base, "grants", row.name)
        tree = self.out if row.group == "files" else self.ro
        return os.path.join(tree, row.name)

    def state(self, row):
        kind, _, what = row.judge.partition(":")
        if kind == "changed":
            return judge.tree(self.place(row))
        if kind == "path":
            return judge.entry(os.path.join(self.ws, row.name, what))
        if kind == "victim":
            return judge.process(self.victims[row.name])
        return None

    def _before(self):
        self.before = {r.name: self.state(r) for r in self.rows}

    def use_terminal(self):
        self.terminal = Terminal(self.watch)

    def remove(self):
        for pid in judge.named(self.outlives):
            os.kill(pid, 9)
        for victim in self.victims.values():
            victim.end()
        for remove in self.remove_ipc:
            remove()
        for fd in list(self.granted.values()) + self.stray:
            os.close(fd)
        if self.terminal:
            self.terminal.close()
        for where in ("/tmp", "/var/tmp", "/dev/shm"):
            try:
                os.unlink(os.path.join(where, self.drop))
            except OSError:
                pass
        # Slow: it goes on beside what comes next.
        World.removals.append(subprocess.Popen(["rm", "-rf", self.base]))
