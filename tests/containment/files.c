/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files: host files that were not granted, and trees granted for reading.
 * The same acts on both: at() says which tree is meant.
 */
#include <dirent.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "probe.h"

static enum verdict read_it(void)
{
	return show_fd(open(at("secret"), O_RDONLY));
}

static enum verdict read_dotdot(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/../../../../../../../../../..%s",
		 in_ws(""), at("secret"));
	return show_fd(open(path, O_RDONLY));
}

static enum verdict read_symlink(void)
{
	if (symlink(at("secret"), in_ws("trap")) < 0)
		return outcome(-1);
	return show_fd(open(in_ws("trap"), O_RDONLY));
}

static enum verdict read_proc_root(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "/proc/self/root%s", at("secret"));
	return show_fd(open(path, O_RDONLY));
}

static enum verdict read_path_only(void)
{
	int dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return show_fd(openat(dir, at("secret") + 1, O_RDONLY));
}

/* By number, past every name: the runner tells the handle. */
static enum verdict read_handle(void)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} u = { .h.handle_type = 0 };
	const char *hex = own_key("handle");
	unsigned int byte, n = 0;
	int mount = open(in_ws(""), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (!*hex)
		return absent("no file handles here");
	u.h.handle_type = (int)own_number("handle_type");
	while (n < MAX_HANDLE_SZ && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		u.h.f_handle[n++] = (unsigned char)byte;
	u.h.handle_bytes = n;
	return show_fd(open_by_handle_at(mount, &u.h, O_RDONLY));
}

static enum verdict list_it(void)
{
	DIR *dir = opendir(at("dir"));
	struct dirent *e;

	if (!dir)
		return outcome(-1);
	while ((e = readdir(dir)))
		show("%s ", e->d_name);
	closedir(dir);
	return DID;
}

static enum verdict stat_it(void)
{
	struct stat st;

	if (lstat(at("secret"), &st) < 0)
		return outcome(-1);
	show("inode=%llu.", (unsigned long long)st.st_ino);
	return DID;
}

static enum verdict read_attribute(void)
{
	char text[64];
	ssize_t n = getxattr(at("secret"), "user.secret", text, sizeof(text));

	if (n < 0 && errno == ENOTSUP)
		return absent("no attributes here");
	if (n < 0)
		return outcome(-1);
	show("%.*s ", (int)n, text);
	return DID;
}

static enum verdict list_attributes(void)
{
	char text[256];
	ssize_t n = listxattr(at("secret"), text, sizeof(text));

	if (n < 0 && errno == ENOTSUP)
		return absent("no attributes here");
	if (n <= 0)
		return outcome(-1);
	show("%s ", text);
	return DID;
}

static enum verdict look_at_file_system(void)
{
	struct statfs st;

	return outcome(statfs(at("secret"), &st));
}

static enum verdict write_it(void)
{
	int fd = open(at("secret"), O_WRONLY | O_APPEND);

	return fd < 0 ? outcome(-1) : outcome(write(fd, "changed", 7));
}

static enum verdict create(void)
{
	return outcome(make_file(at("new"), "made by the task"));
}

static enum verdict create_through_link(void)
{
	if (symlink(at(""), in_ws("trap")) < 0)
		return outcome(-1);
	return outcome(make_file(in_ws("trap/new"), "made by the task"));
}

static enum verdict make_directory(void)
{
	return outcome(mkdir(at("new"), 0755));
}

static enum verdict make_symlink(void)
{
	return outcome(symlink("/etc/passwd", at("new")));
}

static enum verdict make_fifo(void)
{
	return outcome(mkfifo(at("new"), 0644));
}

static enum verdict bind_socket(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int dir = open(at(""), O_PATH | O_CLOEXEC);

	/* The path may be longer than an address holds. */
	snprintf(a.sun_path, sizeof(a.sun_path), "new");
	if (dir < 0 || fchdir(dir) < 0)
		return outcome(-1);
	return outcome(fd < 0 ? -1 : bind(fd, (struct sockaddr *)&a,
					  sizeof(a)));
}

static enum verdict remove_it(void)
{
	return outcome(unlink(at("secret")));
}

static enum verdict move_there(void)
{
	if (make_file(in_ws("mine"), "made by the task") < 0)
		return ABSENT;
	return outcome(rename(in_ws("mine"), at("new")));
}

static enum verdict move_here(void)
{
	if (rename(at("secret"), in_ws("mine")) < 0)
		return outcome(-1);
	return show_fd(open(in_ws("mine"), O_RDONLY));
}

static enum verdict link_here(void)
{
	if (link(at("secret"), in_ws("mine")) < 0)
		return outcome(-1);
	return show_fd(open(in_ws("mine"), O_RDONLY));
}

static enum verdict link_then_write(void)
{
	int fd;

	if (link(at("secret"), in_ws("mine")) < 0)
		return outcome(-1);
	fd = open(in_ws("mine"), O_WRONLY | O_APPEND);
	return fd < 0 ? outcome(-1) : outcome(write(fd, "changed", 7));
}

static enum verdict link_descriptor(void)
{
	char path[64];
	int fd = open(at("secret"), O_PATH | O_CLOEXEC);

	if (fd < 0)
		return outcome(-1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, path, AT_FDCWD, in_ws("mine"),
		   AT_SYMLINK_FOLLOW) < 0)
		return outcome(-1);
	return show_fd(open(in_ws("mine"), O_RDONLY));
}

static enum verdict truncate_it(void)
{
	return outcome(truncate(at("secret"), 1));
}

static enum verdict change_mode(void)
{
	return outcome(chmod(at("secret"), 0640));
}

static enum verdict change_group(void)
{
	return outcome(chown(at("secret"), (uid_t)-1, getegid()));
}

static enum verdict change_times(void)
{
	const struct timespec then[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	return outcome(utimensat(AT_FDCWD, at("secret"), then, 0));
}

static enum verdict set_attribute(void)
{
	if (setxattr(at("secret"), "user.probe", "1", 1, 0) == 0)
		return DID;
	return errno == ENOTSUP ? absent("no attributes here") : outcome(-1);
}

static enum verdict execute(void)
{
	const char *const argv[] = { at("run"), NULL };

	return show_program(argv);
}

static enum verdict watch(void)
{
	int fd = inotify_init1(IN_CLOEXEC);

	return outcome(inotify_add_watch(fd, at(""), IN_ALL_EVENTS));
}

static enum verdict write_fifo(void)
{
	int fd = open(at("fifo"), O_WRONLY | O_NONBLOCK);

	return fd < 0 ? outcome(-1) :
		outcome(write(fd, probe_name, strlen(probe_name)));
}

static enum verdict drop_in(const char *where)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", where, key("drop"));
	return outcome(make_file(path, "left by the task"));
}

static enum verdict drop_in_tmp(void)
{
	return drop_in("/tmp");
}

static enum verdict drop_in_var_tmp(void)
{
	return drop_in("/var/tmp");
}

static enum verdict drop_in_shm(void)
{
	return drop_in("/dev/shm");
}

/* Through a descriptor that was opened for reading only. */
static int reading(void)
{
	return open(at("secret"), O_RDONLY | O_CLOEXEC);
}

static enum verdict reopen(void)
{
	char path[64];
	int fd = reading(), again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = fd < 0 ? -1 : open(path, O_RDWR);
	return outcome(again < 0 ? -1 : write(again, "changed", 7));
}

static enum verdict fd_mode(void)
{
	return outcome(fchmod(reading(), 0640));
}

static enum verdict fd_group(void)
{
	return outcome(fchown(reading(), (uid_t)-1, getegid()));
}

static enum verdict fd_times(void)
{
	const struct timespec then[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	return outcome(futimens(reading(), then));
}

static enum verdict fd_attribute(void)
{
	if (fsetxattr(reading(), "user.probe", "1", 1, 0) == 0)
		return DID;
	return errno == ENOTSUP ? absent("no attributes here") : outcome(-1);
}

const struct probe files_probes[] = {
	{ "files.read", read_it },
	{ "files.read-dotdot", read_dotdot },
	{ "files.read-symlink", read_symlink },
	{ "files.read-proc-root", read_proc_root },
	{ "files.read-openat", read_path_only },
	{ "files.read-handle", read_handle },
	{ "files.list", list_it },
	{ "files.stat", stat_it },
	{ "files.get-attribute", read_attribute },
	{ "files.list-attributes", list_attributes },
	{ "files.statfs", look_at_file_system },
	{ "files.watch", watch },
	{ "files.write", write_it },
	{ "files.write-fifo", write_fifo },
	{ "files.create", create },
	{ "files.create-symlink-dir", create_through_link },
	{ "files.mkdir", make_directory },
	{ "files.symlink", make_symlink },
	{ "files.mkfifo", make_fifo },
	{ "files.bind", bind_socket },
	{ "files.unlink", remove_it },
	{ "files.move-out", move_there },
	{ "files.move-in", move_here },
	{ "files.link-in", link_here },
	{ "files.link-fd", link_descriptor },
	{ "files.truncate", truncate_it },
	{ "files.chmod", change_mode },
	{ "files.chown", change_group },
	{ "files.utimes", change_times },
	{ "files.setxattr", set_attribute },
	{ "files.exec", execute },
	{ "files.tmp", drop_in_tmp },
	{ "files.var-tmp", drop_in_var_tmp },
	{ "files.shm", drop_in_shm },
	{ "ro.write", write_it },
	{ "ro.create", create },
	{ "ro.mkdir", make_directory },
	{ "ro.unlink", remove_it },
	{ "ro.move-out", move_there },
	{ "ro.move-in", move_here },
	{ "ro.link-write", link_then_write },
	{ "ro.truncate", truncate_it },
	{ "ro.chmod", change_mode },
	{ "ro.utimes", change_times },
	{ "ro.setxattr", set_attribute },
	{ "ro.exec", execute },
	{ "ro.reopen", reopen },
	{ "ro.fchmod", fd_mode },
	{ "ro.fchown", fd_group },
	{ "ro.futimens", fd_times },
	{ "ro.fsetxattr", fd_attribute },
	{ NULL, NULL }
};
