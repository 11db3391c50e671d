# SPDX-License-Identifier: Apache-2.0
"""sbx-exec on a terminal: size, job control, modes, copying.  Speaks TAP."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

PROGRAM = sys.argv[1]
LIMIT = ["--timeout", "60s"]
count = failures = 0


def check(name, good, *detail):
    global count, failures
    count += 1
    print("%sok %d - %s" % ("" if good else "not ", count, name), flush=True)
    if not good:
        failures += 1
        for text in detail:
            print("# %r" % (text,))


class Terminal:
    """A program on a terminal whose other end is ours."""

    def __init__(self, *argv, rows=24, cols=80):
        self.seen, self.status = b"", None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            self.size_of(0, rows, cols)
            os.execv(argv[0], argv)
        self.size_of(self.fd, rows, cols)

    @staticmethod
    def size_of(fd, rows, cols):
        size = struct.pack("HHHH", rows, cols, 0, 0)
        fcntl.ioctl(fd, termios.TIOCSWINSZ, size)

    def take(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            time.sleep(0.02)
            return b""
        self.seen += data
        return data

    def wait_for(self, text, seconds=15, start=0):
        end = time.time() + seconds
        while text not in self.seen[start:] and time.time() < end:
            self.take(0.1)
        return text in self.seen[start:]

    def type(self, text):
        os.write(self.fd, text)

    def modes(self):
        return termios.tcgetattr(self.fd)

    def is_raw(self):
        return not self.modes()[3] & (termios.ICANON | termios.ISIG)

    def becomes_raw(self, wanted=True):
        end = time.time() + 10
        while self.is_raw() != wanted and time.time() < end:
            self.take(0.05)
        return self.is_raw() == wanted

    def end(self, seconds=20):
        """The exit status, 128 + n for a signal, "hangs" for neither."""
        end = time.time() + seconds
        while time.time() < end:
            self.take(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.take(0.2):
                    pass
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return "hangs"


def tty(*argv):
    return Terminal(PROGRAM, *LIMIT, "--new-tty", "--", *argv)


def plain(*argv):
    return Terminal(PROGRAM, *LIMIT, "--", *argv)


def size_is_carried_over():
    t = tty("bash", "-c", "trap 'stty size; exit 4' WINCH; stty size; "
            "echo UP; while :; do sleep 0.1; done")
    t.wait_for(b"UP")
    check("the task has the caller's size", b"24 80" in t.seen, t.seen)
    Terminal.size_of(t.fd, 41, 101)
    check("a new size arrives", t.wait_for(b"41 101"), t.seen)
    status = t.end()
    check("the status after that", status == 4, status, t.seen)


def terminal_is_the_tasks():
    t = tty("sh", "-c", "test -t 0 && test -t 1 && test -t 2 && "
            "echo A=all >/dev/tty")
    check("the task has a controlling terminal", t.wait_for(b"A=all"), t.seen)
    t.end()
    t = plain("sh", "-c", "test -t 0 && test -t 2 && echo B=own")
    check("at a terminal that is the default", t.wait_for(b"B=own"), t.seen)
    t.end()
    t = Terminal(PROGRAM, *LIMIT, "--no-tty", "--", "sh", "-c",
                 "test -t 0 || echo B=pipe; "
                 "(: </dev/tty) 2>/dev/null || echo C=none")
    check("with --no-tty it has none", t.wait_for(b"C=none"), t.seen)
    check("and the caller's reaches it as a pipe", b"B=pipe" in t.seen,
          t.seen)
    t.end()
    t = Terminal(PROGRAM, *LIMIT, "--new-tty", "--no-tty", "--", "sh", "-c",
                 "(: </dev/tty) 2>/dev/null || echo D=none")
    check("--no-tty takes --new-tty back", t.wait_for(b"D=none"), t.seen)
    t.end()


def terminal_opens_anew():
    """What opens /dev/tty for the task must find the opener's own."""
    t = tty("sh", "-c", "exec </dev/null >/dev/null 2>&1; "
            "echo A=by-name >/dev/tty")
    check("it opens without a stream that is one",
          t.wait_for(b"A=by-name"), t.seen)
    t.end()
    t = tty("sh", "-c", "exec 3>&1; setsid sh -c "
            "'(echo B=got >/dev/tty) 2>/dev/null || echo B=none >&3'")
    check("another session has none", t.wait_for(b"B=none"), t.seen)
    check("and reaches no other's", b"B=got" not in t.seen, t.seen)
    t.end()
    t = tty("python3", "-c", "import os, pty, sys\n"
            "pid, fd = pty.fork()\n"
            "if not pid:\n"
            "    os.write(os.open('/dev/tty', os.O_RDWR), b'inner')\n"
            "    os._exit(0)\n"
            "print('C=' + os.read(fd, 99).decode())")
    check("a terminal of its own is that one's", t.wait_for(b"C=inner"),
          t.seen)
    t.end()


def job_control_works():
    t = tty("bash", "--norc", "--noprofile", "--noediting", "-i")
    t.type(b"PS1='ready> '; echo mon''itor=$-\n")
    check("a shell has job control", t.wait_for(b"monitor=") and
          t.wait_for(b"ready> ") and
          b"m" in t.seen.split(b"monitor=")[1].split(b"\r")[0] and
          b"no job control" not in t.seen, t.seen)
    t.type(b"echo be''fore; sleep 50\n")
    t.wait_for(b"before")
    time.sleep(0.5)
    at = len(t.seen)
    t.type(b"\x1a")
    check("Ctrl-Z stops its job, not sbx-exec",
          t.wait_for(b"Stopped", start=at), t.seen)
    t.type(b"kill -KILL %1; wait; echo k''illed\n")
    check("and its prompt is back", t.wait_for(b"killed", start=at), t.seen)
    # Twice: a shell that has not yet seen its job die says so at first.
    t.type(b"exit 5\nexit 5\n")
    status = t.end()
    check("its status is passed on", status == 5, status, t.seen)


def ctrl_c_reaches_the_task():
    for name, start in (("--new-tty", tty), ("--no-tty", plain)):
        t = start("bash", "-c", "trap 'echo GOT' INT; echo UP; "
                  "until read -r x; do :; done; echo line=$x; exit 7")
        t.wait_for(b"UP")
        time.sleep(0.3)
        t.type(b"\x03")
        check(name + ": Ctrl-C arrives", t.wait_for(b"GOT"), t.seen)
        t.type(b"on\n")
        check(name + ": and all goes on", t.wait_for(b"line=on"), t.seen)
        status = t.end()
        check(name + ": the status is the task's", status == 7, status)
    for name, start in (("--new-tty", tty), ("--no-tty", plain)):
        t = start("sh", "-c", "echo UP; exec sleep 50")
        t.wait_for(b"UP")
        time.sleep(0.3)
        t.type(b"\x03")
        status = t.end()
        check(name + ": a task that dies of it is 130", status == 130, status)


def modes_come_back():
    t = Terminal("/bin/bash", "--norc", "--noprofile", "--noediting", "-i")
    t.type(b"PS1=; exec 2>&1; echo he''re\n")
    t.wait_for(b"here")
    before = t.modes()
    # In the foreground it leads its process group, by which it is found.
    command = "%s %s --new-tty -- " % (PROGRAM, " ".join(LIMIT))

    def run(rest, ready=b"UP"):
        at = len(t.seen)
        t.type((command + rest + "\n").encode())
        return t.wait_for(ready, start=at)

    run("sh -c 'echo U\"\"P; read x; exit 3'")
    check("the caller's terminal is raw meanwhile", t.becomes_raw())
    t.type(b"\n")
    check("its modes come back at the end",
          t.becomes_raw(False) and t.modes() == before)
    run("no-such-program-here", b"not")
    check("they are untouched when nothing starts", t.modes() == before)
    run("sh -c 'echo U\"\"P; sleep 50'")
    t.becomes_raw()
    os.kill(os.tcgetpgrp(t.fd), signal.SIGTERM)
    check("they come back after a TERM",
          t.becomes_raw(False) and t.modes() == before)
    at = len(t.seen)
    run("sh -c 'echo U\"\"P; read x; echo got=$x; exit 3'")
    t.becomes_raw()
    os.kill(os.tcgetpgrp(t.fd), signal.SIGTSTP)
    check("a stop gives them back", t.becomes_raw(False) and
          t.modes() == before and t.wait_for(b"Stopped", start=at), t.seen)
    t.type(b"fg\n")
    check("and fg takes them again", t.becomes_raw())
    t.type(b"again\n")
    check("the task has not noticed", t.wait_for(b"got=again", start=at),
          t.seen[at:])
    check("they come back at the end of that",
          t.becomes_raw(False) and t.modes() == before)
    t.type(b"exit\n")
    t.end()


def run_piped(argv, data, seconds=40, **more):
    """What a --new-tty command writes, without any terminal around it."""
    try:
        done = subprocess.run([PROGRAM, *LIMIT, "--new-tty", "--", *argv],
                              input=data, stdout=subprocess.PIPE,
                              timeout=seconds, **more)
        return done.returncode, done.stdout.replace(b"\r\n", b"\n")
    except subprocess.TimeoutExpired:
        return "hangs", b""


def works_without_a_terminal_around():
    rc, out = run_piped(["sh", "-c", "test -t 0 && test -t 1 && stty size"],
                        b"")
    check("without a terminal around the task still has one", rc == 0, rc, out)
    check("of 24 by 80", out == b"24 80\n", out)
    rc, out = run_piped(["sh", "-c", "stty -echo; echo UP; cat; echo one; "
                         "cat; echo two"], b"text\n")
    check("the end of input ends every reader", rc == 0 and
          out.endswith(b"one\ntwo\n"), rc, out)
    rc, out = run_piped(["sh", "-c", "cat; echo; echo over"], b"half a line")
    check("also behind half a line", rc == 0 and out.endswith(b"over\n") and
          b"half a line" in out, rc, out)


def copying_loses_nothing():
    rc, out = run_piped(["seq", "100000"], b"")
    check("much output arrives whole", out == b"".join(
        b"%d\n" % i for i in range(1, 100001)), rc, len(out))
    # stty before the input: what a terminal in line mode has read is edited.
    script = "stty raw -echo; echo UP; head -c 1000000"
    t = subprocess.Popen([PROGRAM, *LIMIT, "--new-tty", "--", "bash", "-c",
                          script], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    seen = t.stdout.read(3)
    writer = os.fork()
    if writer == 0:
        os.set_inheritable(t.stdin.fileno(), True)
        for _ in range(1000):
            t.stdin.write(b"x" * 1000)
        t.stdin.flush()
        os._exit(0)
    t.stdin.close()
    time.sleep(1)
    rest = t.stdout.read()
    os.waitpid(writer, 0)
    check("much in both directions at once arrives whole", t.wait() == 0 and
          (seen + rest).count(b"x") == 1000000, (seen + rest).count(b"x"))


def caller_descriptors_stay_blocking():
    r, w = os.pipe()
    subprocess.run([PROGRAM, *LIMIT, "--new-tty", "--", "echo", "x"],
                   stdin=subprocess.DEVNULL, stdout=w, check=False)
    check("the caller's output stays blocking", not
          fcntl.fcntl(w, fcntl.F_GETFL) & os.O_NONBLOCK)
    os.close(r)
    os.close(w)


def reader_that_is_gone_ends_the_task():
    t = subprocess.Popen([PROGRAM, *LIMIT, "--new-tty", "--", "yes"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    t.stdout.read(10)
    t.stdout.close()
    try:
        rc = t.wait(20)
    except subprocess.TimeoutExpired:
        t.kill()
        rc = "hangs"
    check("a reader that is gone ends the task", rc not in ("hangs", 0, 124),
          rc)


for case in (size_is_carried_over, terminal_is_the_tasks,
             terminal_opens_anew, job_control_works,
             ctrl_c_reaches_the_task, modes_come_back,
             works_without_a_terminal_around, copying_loses_nothing,
             caller_descriptors_stay_blocking,
             reader_that_is_gone_ends_the_task):
    case()
print("1..%d" % count)
sys.exit(failures > 0)
