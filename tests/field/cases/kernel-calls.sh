# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Calls that run-times and tools make: sendfile, copy_file_range, splice, epoll,
# eventfd, timers, signals as descriptors, pidfds, threads, madvise.

inside()
{
	py - <<'END'
import ctypes
import mmap
import os
import select
import signal
import threading

libc = ctypes.CDLL(None, use_errno=True)
with open("src", "wb") as f:
    f.write(b"x" * 100000)
src = os.open("src", os.O_RDONLY)
dst = os.open("dst", os.O_RDWR | os.O_CREAT)
assert os.sendfile(dst, src, 0, 50000) == 50000
assert os.copy_file_range(src, dst, 50000, 50000, 50000) == 50000
r, w = os.pipe()
assert os.splice(src, w, 1000, 0) == 1000
os.posix_fadvise(src, 0, 0, os.POSIX_FADV_SEQUENTIAL)
e = os.eventfd(0)
os.eventfd_write(e, 3)
poll = select.epoll()
poll.register(e, select.EPOLLIN)
assert poll.poll(10) == [(e, select.EPOLLIN)]
assert os.eventfd_read(e) == 3
timer = libc.timerfd_create(1, 0)
assert timer >= 0
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
mask = ctypes.create_string_buffer(128)
libc.sigemptyset(mask)
libc.sigaddset(mask, signal.SIGUSR2)
sfd = libc.signalfd(-1, mask, 0)
assert sfd >= 0
os.kill(os.getpid(), signal.SIGUSR2)
assert os.read(sfd, 128)[0] == signal.SIGUSR2
pid = os.fork()
if pid == 0:
    signal.pause()
pidfd = os.pidfd_open(pid)
signal.pidfd_send_signal(pidfd, signal.SIGKILL)
assert os.waitid(os.P_PIDFD, pidfd, os.WEXITED).si_status == signal.SIGKILL
m = mmap.mmap(-1, 1 << 22)
m.madvise(mmap.MADV_HUGEPAGE)
m[:2] = b"hi"
m.madvise(mmap.MADV_DONTNEED)
m.resize(1 << 23)
done = []
threads = [threading.Thread(target=lambda: done.append(os.getpid()))
           for _ in range(20)]
[t.start() for t in threads]
[t.join() for t in threads]
assert len(done) == 20
os.nice(1)
os.sched_yield()
os.sync()
os.statvfs(".")
os.posix_spawn("/bin/true", ["true"], {})
assert os.wait()[1] == 0
END
}
