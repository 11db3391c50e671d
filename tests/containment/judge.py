# SPDX-License-Identifier: Apache-2.0
"""What happened, as seen from outside: states before and after."""
import os
import stat


def _content(path, mode):
    if stat.S_ISREG(mode):
        with open(path, "rb") as f:
            return f.read(1 << 16)
    if stat.S_ISLNK(mode):
        return os.readlink(path)
    if stat.S_ISDIR(mode):
        return sorted(os.listdir(path))
    return None


def entry(path):
    """What a reader of this name would see; None when there is nothing."""
    try:
        mode = os.lstat(path).st_mode
        return mode, _content(path, mode)
    except OSError:
        return None


def _attributes(path):
    try:
        return sorted(os.listxattr(path, follow_symlinks=False))
    except OSError:
        return []


def tree(path):
    """Everything below path but the times of reading."""
    state = {}
    todo = [path]
    while todo:
        name = todo.pop()
        try:
            st = os.lstat(name)
        except OSError:
            continue
        state[name] = (st.st_mode, st.st_uid, st.st_gid, st.st_size,
                       st.st_mtime_ns, st.st_ctime_ns, _attributes(name),
                       _content(name, st.st_mode))
        if stat.S_ISDIR(st.st_mode):
            todo += [os.path.join(name, n) for n in os.listdir(name)]
    return state


def _read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return b""


def process(victim):
    """A victim: all that another process could have changed."""
    pid = victim.child.pid
    if victim.child.poll() is not None:
        return "gone"
    stat_words = _read(f"/proc/{pid}/stat").rsplit(b")", 1)[-1].split()
    with open(f"/proc/{pid}/mem", "rb") as f:
        f.seek(victim.address)
        memory = f.read(64)
    tracer = [line for line in _read(f"/proc/{pid}/status").splitlines()
              if line.startswith((b"TracerPid", b"SigPnd", b"ShdPnd"))]
    # Priority, nice and policy, by their places in proc(5).
    return (stat_words[15:17], stat_words[38], memory, tracer,
            os.sched_getaffinity(pid), _read(f"/proc/{pid}/limits"),
            _read(f"/proc/{pid}/oom_score_adj"), io_priority(pid))


def io_priority(pid):
    """ioprio_get, for which there is no other way."""
    import ctypes
    number = {"x86_64": 252}.get(os.uname().machine, 31)
    return ctypes.CDLL(None).syscall(number, 1, pid)


def named(comm):
    """Processes of this name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if _read(f"/proc/{pid}/comm").strip() == comm.encode():
            found.append(int(pid))
    return found
