/* SPDX-License-Identifier: Apache-2.0 */
/* ipc: System V and POSIX objects of the host, keys, and its terminal. */
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <termios.h>

#include "probe.h"

static enum verdict shared_memory(void)
{
	int id = shmget((key_t)key_number("ipc.key"), 1, 0);
	const char *text = id < 0 ? (void *)-1 : shmat(id, NULL, SHM_RDONLY);

	if (text == (void *)-1)
		return outcome(-1);
	show("%.60s", text);
	return DID;
}

static enum verdict message_queue(void)
{
	struct {
		long type;
		char text[128];
	} m = { .type = 0 };
	int id = msgget((key_t)key_number("ipc.key"), 0);

	if (id < 0 || msgrcv(id, &m, sizeof(m.text) - 1, 0, IPC_NOWAIT) < 0)
		return outcome(-1);
	show("%s", m.text);
	return DID;
}

/* The runner looks for a segment with this key, and removes it. */
static enum verdict leave_memory(void)
{
	return outcome(shmget((key_t)key_number("ipc.leave"), 4096,
			      IPC_CREAT | 0600));
}

static enum verdict posix_queue(void)
{
	char text[9000] = "";
	mqd_t q = mq_open(key("ipc.mq"), O_RDONLY | O_NONBLOCK);

	if (q == (mqd_t)-1)
		return errno == ENOSYS && *key("ipc.mq-lack") ?
			absent("no queues here") : outcome(-1);
	if (mq_receive(q, text, sizeof(text) - 1, NULL) < 0)
		return outcome(-1);
	show("%.60s", text);
	return DID;
}

static enum verdict add_key(void)
{
	return outcome(syscall(SYS_add_key, "user", "probe", "1", 1,
			       KEY_SPEC_PROCESS_KEYRING));
}

/* A key that the runner put into the keyring of the user. */
static enum verdict read_key(void)
{
	char text[128] = "";
	long id = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING,
			  "user", key("ipc.key-name"), 0);

	if (id < 0 || syscall(SYS_keyctl, KEYCTL_READ, id, text, 127) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

/* The runner's own use of it: the secret comes by a file. */
static enum verdict plant_key(void)
{
	char text[128];
	int fd = open(key("ipc.key-secret"), O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (n <= 0)
		return outcome(-1);
	return outcome(syscall(SYS_add_key, "user", key("ipc.key-name"), text,
			       n, KEY_SPEC_USER_KEYRING));
}

static enum verdict remove_key(void)
{
	long id = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING,
			  "user", key("ipc.key-name"), 0);

	return outcome(id < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_UNLINK, id,
					     KEY_SPEC_USER_KEYRING));
}

static enum verdict push_input(void)
{
	/* The upper half of the number is not what the kernel reads. */
	return outcome(ioctl(0, TIOCSTI, "!") < 0 ?
		       syscall(SYS_ioctl, 0, 0x100000000UL | TIOCSTI, "!") : 0);
}

static enum verdict set_modes(void)
{
	struct termios t;

	if (tcgetattr(0, &t) < 0)
		return outcome(-1);
	t.c_lflag ^= ECHO;
	return outcome(tcsetattr(0, TCSANOW, &t));
}

static enum verdict set_discipline(void)
{
	int n = 0;      /* the one that it has: every terminal knows it */

	return outcome(ioctl(0, TIOCSETD, &n));
}

static enum verdict open_terminal(void)
{
	return outcome(open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
}

static enum verdict take_terminal(void)
{
	pid_t group = getpgrp();

	if (ioctl(0, TIOCSPGRP, &group) < 0)
		return outcome(-1);
	/* It is undone by our end: the runner has to see it before. */
	usleep(300000);
	return DID;
}

const struct probe ipc_probes[] = {
	{ "ipc.shm-read", shared_memory },
	{ "ipc.msg-read", message_queue },
	{ "ipc.shm-leave", leave_memory },
	{ "ipc.mq-read", posix_queue },
	{ "ipc.key-read", read_key },
	{ "ipc.key-add", add_key },
	{ "ipc.key-plant", plant_key },
	{ "ipc.key-remove", remove_key },
	{ "tty.push", push_input },
	{ "tty.modes", set_modes },
	{ "tty.discipline", set_discipline },
	{ "tty.open", open_terminal },
	{ "tty.foreground", take_terminal },
	{ NULL, NULL }
};
