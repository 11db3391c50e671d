/* SPDX-License-Identifier: Apache-2.0 */
/* usage_tree: the caller's descendants, in a proc(5) that shows others too. */
#include "init/usage_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "init/usage.h"
#include "init/usage_proc.h"

/* Processes of the whole host; a default pid_max is 32,768. */
#define TREE_MAX 32768u
/* How often a moving tree is looked at before an answer is given. */
#define ROUNDS 8

struct tree_entry {
	int32_t pid, ppid;
	uint64_t start;
	bool dead;		/* a zombie without threads */
	bool below;		/* a descendant */
};

/*
 * Static: the helper has no heap and one thread.  Pages that are never
 * touched cost nothing.
 */
static struct tree_entry tree[TREE_MAX];
static uint32_t n_tree;

static struct tree_entry *find_entry(int32_t pid)
{
	uint32_t low = 0, high = n_tree;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (tree[mid].pid == pid)
			return &tree[mid];
		if (tree[mid].pid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int read_entry(int proc_fd, const char *name, struct tree_entry *ret)
{
	AUTO_FD dir = sbxi_proc_open(proc_fd, name, O_DIRECTORY);
	struct sbxi_stat_line s;
	int rc;

	if (dir < 0)
		return dir;
	rc = sbxi_stat_read(dir, &s);
	if (rc < 0)
		return rc;
	*ret = (struct tree_entry){
		.pid = s.pid,
		.ppid = s.ppid,
		.start = s.start,
		.dead = sbxi_stat_dead(&s),
	};
	return 0;
}

/* Keeps tree[] sorted whatever order the directory has. */
static void insert_entry(const struct tree_entry *entry)
{
	uint32_t at = n_tree;

	while (at > 0 && tree[at - 1].pid > entry->pid)
		at--;
	memmove(&tree[at + 1], &tree[at], (n_tree - at) * sizeof(*tree));
	tree[at] = *entry;
	n_tree++;
}

/*
 * A parent that ended between the two reads has left its children to
 * somebody, perhaps to us: ask again, or a tree that keeps moving is missed.
 * One that stays what it was is hidden from us (hidepid), and no descendant.
 */
static void find_new_parent(int proc_fd, struct tree_entry *entry)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
		struct tree_entry now;
		char name[24];

		if (entry->ppid == 0 || find_entry(entry->ppid))
			return;
		sbxi_pid_name(entry->pid, name, sizeof(name));
		if (read_entry(proc_fd, name, &now) < 0 ||
		    now.start != entry->start || now.ppid == entry->ppid)
			return;
		entry->ppid = now.ppid;
	}
}

/* Marks the descendants of self.  Returns how many are not dead. */
static int mark_tree(int32_t self)
{
	bool changed = true;
	int live = 0;
	uint32_t i;

	while (changed) {
		changed = false;
		for (i = 0; i < n_tree; i++) {
			const struct tree_entry *up;

			if (tree[i].below || tree[i].pid == self)
				continue;
			if (tree[i].ppid != self) {
				up = find_entry(tree[i].ppid);
				if (!up || !up->below)
					continue;
			}
			tree[i].below = changed = true;
			live += !tree[i].dead;
		}
	}
	return live;
}

/* Fills tree[] with every process of the proc mount.  0 or -errno. */
static int read_tree(int proc_fd)
{
	struct sbxi_numbers pids;
	const char *pid;
	int rc = sbxi_numbers_open(proc_fd, ".", &pids);

	n_tree = 0;
	if (rc < 0)
		return rc;
	while ((pid = sbxi_numbers_next(&pids))) {
		struct tree_entry entry;

		if (n_tree == TREE_MAX) {
			rc = -E2BIG;
			break;
		}
		if (read_entry(pids.fd, pid, &entry) == 0)
			insert_entry(&entry);
	}
	close(pids.fd);
	return rc;
}

int sbxi_descendants_find(int proc_fd)
{
	char self[24];
	const char *at = self;
	ssize_t n = readlinkat(proc_fd, "self", self, sizeof(self) - 1);
	uint32_t i;
	int live, rc;

	/* Not getpid(2): this proc mount may count in another namespace. */
	if (n < 0)
		return -errno;
	self[n] = '\0';
	rc = read_tree(proc_fd);
	if (rc < 0 && rc != -E2BIG)
		return rc;
	for (i = 0; i < n_tree; i++)
		find_new_parent(proc_fd, &tree[i]);
	live = mark_tree((int32_t)sbxi_number(&at));
	return rc < 0 ? rc : live;
}

int sbxi_descendants_next(uint32_t *at, struct sbxi_descendant *ret)
{
	for (; *at < n_tree; (*at)++) {
		if (!tree[*at].below)
			continue;
		*ret = (struct sbxi_descendant){ .pid = tree[*at].pid,
						 .start = tree[*at].start };
		(*at)++;
		return 1;
	}
	return 0;
}

/*
 * The directory of a process in proc(5) is as good as its pidfd: the start
 * time read through it shows that it is the process that was found, and the
 * signal cannot reach another one that has got the number since.
 */
static int signal_entry(int proc_fd, const struct tree_entry *entry, int sig)
{
	AUTO_FD dir = -1;
	struct sbxi_stat_line s;
	char name[24];

	sbxi_pid_name(entry->pid, name, sizeof(name));
	dir = sbxi_proc_open(proc_fd, name, O_DIRECTORY);
	if (dir < 0 || sbxi_stat_read(dir, &s) < 0 ||
	    s.start != entry->start)
		return -ESRCH;
	if (syscall(SYS_pidfd_send_signal, dir, sig, NULL, 0) == 0)
		return 0;
	if (errno == ESRCH)
		return -ESRCH;
	/* Before 5.1, or refused by an outer filter. */
	return kill(entry->pid, sig) < 0 ? -errno : 0;
}

/* Returns how many of the tree were sent sig. */
static int signal_tree(int proc_fd, int sig)
{
	uint32_t i;
	int n = 0;

	for (i = 0; i < n_tree; i++) {
		if (!tree[i].below || tree[i].dead)
			continue;
		n += signal_entry(proc_fd, &tree[i], sig) == 0;
	}
	return n;
}

/*
 * Every descendant has a line of living or unreaped parents up to us, so a
 * caller without children has no descendants, whatever a look at /proc that
 * moves meanwhile has missed.
 */
static bool no_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info,
		      WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 &&
	       errno == ECHILD;
}

/*
 * No more children, then dead.  Stopping first would be undone: siblings send
 * SIGCONT to each other.
 */
static int end_tree(int proc_fd)
{
	const struct rlimit none = { 0, 0 };

	for (uint32_t i = 0; i < n_tree; i++)
		if (tree[i].below && !tree[i].dead)
			(void)prlimit(tree[i].pid, RLIMIT_NPROC, &none, NULL);
	return signal_tree(proc_fd, SIGKILL);
}

int sbxi_usage_kill_descendants(int proc_fd)
{
	int live = 0, hit = 0, most = 0;

	for (int round = 0; round < ROUNDS; round++) {
		if (no_children())
			return most;
		live = sbxi_descendants_find(proc_fd);
		if (live < 0 && live != -E2BIG)
			return live;
		/* -E2BIG: a host too big for the table, where nothing is hit. */
		hit = end_tree(proc_fd);
		most = hit > most ? hit : most;
		if (hit == 0)
			break;
	}
	return most > 0 ? most : live;
}
