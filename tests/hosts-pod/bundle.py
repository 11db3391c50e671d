#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bundle.py BUNDLE BUILD SRC RESULTS COMMAND...: an OCI bundle like a pod's.

An ordinary user without capabilities and without a way to new privileges, a
read-only root, own namespaces but no user namespace, a masked /proc, a
read-only /sys, and the refusals of the usual system call filter.  The
system's programs are those of this host, bound read-only.
"""
import json
import os
import pathlib
import sys

USER = 1000
SYSTEM = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"]
ETC = ["alternatives", "ld.so.cache", "localtime", "nsswitch.conf",
       "os-release", "protocols", "services", "ssl/certs"]

# What the runtimes' default profile refuses to who has no capability.
REFUSED = """
acct add_key bpf chroot clock_adjtime clock_settime delete_module
fanotify_init finit_module fsconfig fsmount fsopen fspick get_mempolicy
init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp
kexec_file_load kexec_load keyctl lookup_dcookie mbind mount mount_setattr
move_mount move_pages name_to_handle_at open_by_handle_at open_tree
perf_event_open pidfd_getfd pivot_root process_madvise quotactl reboot
request_key set_mempolicy setdomainname sethostname setns settimeofday swapoff
swapon syslog umount2 unshare userfaultfd vhangup
""".split()
NAMESPACE_FLAGS = 0x7e020000
EPERM, ENOSYS = 1, 38


def filter_rules():
    refuse = {"action": "SCMP_ACT_ERRNO"}
    flags = {"index": 0, "value": 0, "op": "SCMP_CMP_MASKED_EQ"}
    rules = [dict(refuse, names=REFUSED, errnoRet=EPERM),
             # Its flags are in memory, where no filter sees them.
             dict(refuse, names=["clone3"], errnoRet=ENOSYS)]
    # "Any of these bits" is one rule for each.
    for n in range(32):
        bit = 1 << n
        if NAMESPACE_FLAGS & bit:
            arg = dict(flags, value=bit, valueTwo=bit)
            rules.append(dict(refuse, names=["clone"], errnoRet=EPERM,
                              args=[arg]))
    return rules


def bind(source, target, *options):
    return {"destination": target, "type": "bind", "source": str(source),
            "options": ["rbind", "nosuid", "nodev", *options]}


def special(kind, target, *options):
    return {"destination": target, "type": kind, "source": kind,
            "options": ["nosuid", "noexec", "nodev", *options]}


def make_root(root):
    """Folders to mount on, and the host's top-level links."""
    for name in ("dev proc sys tmp etc/ssl build src results home/pod run "
                 "var/tmp").split():
        (root / name).mkdir(parents=True, exist_ok=True)
    # A runtime may give a mounted tmpfs the mode of what is below it.
    for name in "tmp var/tmp".split():
        (root / name).chmod(0o1777)
    os.chown(root / "home/pod", USER, USER)
    (root / "etc/passwd").write_text(
        "root:x:0:0::/root:/bin/sh\npod:x:1000:1000::/home/pod:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\npod:x:1000:\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")


def system_mounts(root):
    mounts = []
    for name in SYSTEM:
        host = pathlib.Path("/") / name
        if host.is_symlink():
            (root / name).symlink_to(os.readlink(host))
        elif host.is_dir():
            (root / name).mkdir()
            mounts.append(bind(host, f"/{name}", "ro"))
    for name in ETC:
        host = pathlib.Path("/etc") / name
        here = root / "etc" / name
        if host.is_dir():
            here.mkdir(parents=True)
        elif host.exists():
            here.touch()
        else:
            continue
        mounts.append(bind(host.resolve(), f"/etc/{name}", "ro"))
    return mounts


def mounts(root, build, src, results):
    return [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs",
         "options": ["nosuid", "strictatime", "mode=755", "size=65536k"]},
        {"destination": "/dev/pts", "type": "devpts", "source": "devpts",
         "options": ["nosuid", "noexec", "newinstance", "ptmxmode=0666",
                     "mode=0620"]},
        special("mqueue", "/dev/mqueue"),
        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm",
         "options": ["nosuid", "noexec", "nodev", "mode=1777",
                     "size=65536k"]},
        special("sysfs", "/sys", "ro"),
        *system_mounts(root),
        {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs",
         "options": ["nosuid", "nodev", "mode=1777"]},
        {"destination": "/var/tmp", "type": "tmpfs", "source": "tmpfs",
         "options": ["nosuid", "nodev", "mode=1777"]},
        {"destination": "/home/pod", "type": "tmpfs", "source": "tmpfs",
         "options": ["nosuid", "nodev", "mode=700", f"uid={USER}"]},
        bind(build, "/build", "ro"),
        bind(src, "/src", "ro"),
        bind(results, "/results", "rw"),
    ]


def process(command):
    passed = ["SBX_REQUIRE_LIVE"]
    env = ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
           "HOME=/home/pod", "TERM=dumb", "LANG=C"]
    env += [f"{k}={os.environ[k]}" for k in passed if k in os.environ]
    return {
        "terminal": False,
        "user": {"uid": USER, "gid": USER, "additionalGids": []},
        "args": command, "env": env, "cwd": "/home/pod",
        "capabilities": {kind: [] for kind in
                         ("bounding", "effective", "permitted",
                          "inheritable", "ambient")},
        "noNewPrivileges": True, "oomScoreAdj": 1000,
    }


def linux():
    return {
        "namespaces": [{"type": kind} for kind in
                       ("pid", "network", "ipc", "uts", "mount", "cgroup")],
        "resources": {"devices": [{"allow": False, "access": "rwm"}]},
        "seccomp": {
            "defaultAction": "SCMP_ACT_ALLOW",
            "syscalls": filter_rules()},
        "maskedPaths": ["/proc/acpi", "/proc/asound", "/proc/kcore",
                        "/proc/keys", "/proc/latency_stats", "/proc/scsi",
                        "/proc/sched_debug", "/proc/timer_list",
                        "/proc/timer_stats", "/sys/firmware"],
        "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                          "/proc/sysrq-trigger"],
    }


def main(bundle, build, src, results, *command):
    root = pathlib.Path(bundle) / "rootfs"
    make_root(root)
    config = {
        "ociVersion": "1.0.2",
        "hostname": "pod",
        "root": {"path": "rootfs", "readonly": True},
        "process": process(list(command)),
        "mounts": mounts(root, build, src, results),
        "linux": linux(),
    }
    (pathlib.Path(bundle) / "config.json").write_text(json.dumps(config,
                                                                 indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
