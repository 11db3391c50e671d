/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: what the task's tree uses, summed by the supervisor.
 *
 * Written against a task that wants to be missed.  What proc(5) cannot show,
 * and what therefore stays uncounted: shared memory that is neither mapped
 * nor held by a descriptor of a process (in a socket's queue, or dropped from
 * the page tables by madvise(2)), buffers of pipes and sockets, and CPU time
 * of processes that live and die between two samples while their parent
 * ignores SIGCHLD.  Only a cgroup counts those.
 *
 * Nothing here may wait for the task: status, stat and the links in fd need
 * no lock that a task can hold, unlike maps, smaps and smaps_rollup.
 */
#include "init/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "init/usage_proc.h"
#include "init/usage_tree.h"

/* Slots for distinct memfds; one that finds none is counted at each holder. */
#define MEMFD_BITS 14
#define MEMFD_PROBES 32u
/* Descriptors looked at in one sample: about 0.3 s. */
#define FD_BUDGET (1u << 18)
#define KCMP_FILES_TYPE 2	/* kcmp(2): do two threads share descriptors? */

struct memfd_entry {
	uint64_t dev, ino;
	uint32_t sample;	/* in which it was met; another one = free */
};

/* Sums of one sample. */
struct sums {
	uint64_t live_us;	/* own and waited-for, of live processes */
	uint64_t own_us;	/* own time alone */
	uint64_t private_bytes;
	uint64_t mapped_shared_bytes;
	uint64_t memfd_bytes;
	uint32_t processes;
	uint32_t fd_budget;
	bool want_memory;
	struct sbxi_usage_state *state;
	uint32_t hint;		/* where the next process is likely seen */
};

/* Static: the helper has no heap and one thread. */
static struct memfd_entry memfds[1u << MEMFD_BITS];
static uint32_t memfd_sample;

/*
 * Private: anonymous pages, those swapped out, huge pages, and the page
 * tables, since reading one page in each 2 MiB of a sparse mapping makes
 * memory that no other line shows.
 */
static bool add_line(const char *line, struct sums *sums)
{
	static const char *const private[] = { "RssAnon:", "VmSwap:", "VmPTE:",
					       "HugetlbPages:" };
	const char *at;
	size_t i;

	if (strncmp(line, "RssShmem:", 9) == 0) {
		at = line + 9;
		sums->mapped_shared_bytes += sbxi_number(&at) * 1024;
		return true;
	}
	for (i = 0; i < SBXI_COUNT(private); i++) {
		size_t len = strlen(private[i]);

		if (strncmp(line, private[i], len) == 0) {
			at = line + len;
			sums->private_bytes += sbxi_number(&at) * 1024;
			return true;
		}
	}
	return false;
}

/*
 * Line by line, since the line of supplementary groups has no bound that a
 * buffer could keep.  The kernel escapes newlines in the name, so no line is
 * the task's.  Returns whether there was memory.
 */
static bool add_status(int dir, struct sums *sums)
{
	AUTO_FD fd = sbxi_proc_open(dir, "status", 0);
	char line[64], buf[1024];
	size_t len = 0;
	bool found = false;
	ssize_t n, i;

	if (fd < 0)
		return false;
	while ((n = read(fd, buf, sizeof(buf))) > 0 ||
	       (n < 0 && errno == EINTR)) {
		for (i = 0; i < n; i++) {
			if (buf[i] != '\n') {
				if (len + 1 < sizeof(line))
					line[len++] = buf[i];
				continue;
			}
			line[len] = '\0';
			found |= add_line(line, sums);
			len = 0;
		}
	}
	return found;
}

/* Hashed, since a task can hold thousands, each in hundreds of processes. */
static bool memfd_is_new(const struct stat *st)
{
	uint64_t hash = ((uint64_t)st->st_ino ^ (uint64_t)st->st_dev << 32) *
			0x9e3779b97f4a7c15u >> (64 - MEMFD_BITS);
	uint32_t i;

	for (i = 0; i < MEMFD_PROBES; i++) {
		struct memfd_entry *slot =
			&memfds[(hash + i) % SBXI_COUNT(memfds)];

		if (slot->sample != memfd_sample) {
			*slot = (struct memfd_entry){
				.dev = st->st_dev,
				.ino = st->st_ino,
				.sample = memfd_sample,
			};
			return true;
		}
		if (slot->ino == st->st_ino && slot->dev == st->st_dev)
			return false;
	}
	return true;
}

/*
 * The link is read before the file is asked: stat(2) on what a task has open
 * can wait for ever, for a server that does not answer; a memfd never does.
 */
static void add_descriptor(int dir, const char *name, struct sums *sums)
{
	char link[16];
	struct stat st;
	ssize_t n = readlinkat(dir, name, link, sizeof(link));

	if (n < 7 || memcmp(link, "/memfd:", 7) != 0)
		return;
	if (fstatat(dir, name, &st, 0) < 0 || !S_ISREG(st.st_mode))
		return;
	if (memfd_is_new(&st))
		sums->memfd_bytes += (uint64_t)st.st_blocks * 512;
}

static int add_descriptors(int dir, const char *name, struct sums *sums)
{
	struct sbxi_numbers fds;
	const char *fd;
	int rc = sbxi_numbers_open(dir, name, &fds);

	/* Ended, or a program that proc(5) does not let us look into. */
	if (rc < 0)
		return 0;
	while ((fd = sbxi_numbers_next(&fds))) {
		if (sums->fd_budget == 0) {
			rc = -E2BIG;
			break;
		}
		sums->fd_budget--;
		add_descriptor(fds.fd, fd, sums);
	}
	close(fds.fd);
	return rc;
}

/*
 * A thread may have left the table of its process by unshare(2), and the
 * first thread may be over: look at every thread whose table is another.
 * Where kcmp(2) is refused, every table is looked at.
 */
static int add_threads(int dir, int32_t pid, bool leader_dead,
		       struct sums *sums)
{
	struct sbxi_numbers tids;
	const char *tid;
	bool have_memory = false;
	int rc = sbxi_numbers_open(dir, "task", &tids);

	if (rc < 0)
		return 0;
	while (rc == 0 && (tid = sbxi_numbers_next(&tids))) {
		AUTO_FD thread = sbxi_proc_open(tids.fd, tid, O_DIRECTORY);
		const char *at = tid;
		long id = (long)sbxi_number(&at);

		if (thread < 0)
			continue;
		if (leader_dead && !have_memory)
			have_memory = add_status(thread, sums);
		if (id == pid || (!leader_dead &&
				  syscall(SYS_kcmp, pid, id, KCMP_FILES_TYPE,
					  0ul, 0ul) == 0))
			continue;
		rc = add_descriptors(thread, "fd", sums);
	}
	close(tids.fd);
	return rc;
}

static int add_memory(int dir, const struct sbxi_stat_line *s,
		      struct sums *sums)
{
	bool leader_dead = s->state == 'Z' || s->state == 'X';
	int rc = 0;

	if (!leader_dead) {
		(void)add_status(dir, sums);	/* ended meanwhile: nothing */
		rc = add_descriptors(dir, "fd", sums);
	}
	if (rc == 0 && s->threads > 1)
		rc = add_threads(dir, s->pid, leader_dead, sums);
	return rc;
}

/* The directory of /proc is read in the order of pids, and so is seen[]. */
static struct sbxi_usage_seen *find_seen(struct sums *sums,
					 const struct sbxi_stat_line *s)
{
	struct sbxi_usage_state *state = sums->state;
	uint32_t i, at;

	for (i = 0; i < state->n_seen; i++) {
		at = (sums->hint + i) % state->n_seen;
		if (state->seen[at].pid == s->pid &&
		    state->seen[at].start == s->start) {
			sums->hint = at + 1;
			return &state->seen[at];
		}
	}
	if (state->n_seen >= SBXI_COUNT(state->seen))
		return NULL;
	at = state->n_seen++;
	state->seen[at] = (struct sbxi_usage_seen){ .pid = s->pid,
						    .start = s->start };
	return &state->seen[at];
}

static void add_cpu(const struct sbxi_stat_line *s, struct sums *sums)
{
	struct sbxi_usage_seen *seen = find_seen(sums, s);

	sums->live_us += s->own_us + s->waited_us;
	sums->own_us += s->own_us;
	/* No room: it is counted while it lives, and forgotten afterwards. */
	if (!seen)
		return;
	seen->mark = sums->state->mark;
	seen->cpu_us = s->own_us;
}

/* start: of the process that is meant; 0 = whoever has that number. */
static int add_process(int proc_fd, const char *name, uint64_t start,
		       struct sums *sums)
{
	AUTO_FD dir = sbxi_proc_open(proc_fd, name, O_DIRECTORY);
	struct sbxi_stat_line s;

	if (dir < 0 || sbxi_stat_read(dir, &s) < 0 ||
	    (start != 0 && s.start != start))
		return 0;
	sums->processes += s.threads > 0 ? s.threads : 1;
	add_cpu(&s, sums);
	return sums->want_memory ? add_memory(dir, &s, sums) : 0;
}

static int add_namespace(int proc_fd, struct sums *sums)
{
	struct sbxi_numbers pids;
	const char *pid;
	int rc = sbxi_numbers_open(proc_fd, ".", &pids);

	if (rc < 0)
		return rc;
	while (rc == 0 && (pid = sbxi_numbers_next(&pids)))
		if (strcmp(pid, "1") != 0)
			rc = add_process(pids.fd, pid, 0, sums);
	close(pids.fd);
	return rc;
}

static int add_descendants(int proc_fd, struct sums *sums)
{
	struct sbxi_descendant d;
	uint32_t at = 0;
	int rc = sbxi_descendants_find(proc_fd);

	while (rc >= 0 && sbxi_descendants_next(&at, &d)) {
		char name[24];

		sbxi_pid_name(d.pid, name, sizeof(name));
		rc = add_process(proc_fd, name, d.start, sums);
	}
	return rc < 0 ? rc : 0;
}

/* Who was not met this time is gone; its time stays with us. */
static void forget_gone(struct sbxi_usage_state *state)
{
	uint32_t i, kept = 0;

	for (i = 0; i < state->n_seen; i++) {
		if (state->seen[i].mark == state->mark)
			state->seen[kept++] = state->seen[i];
		else
			state->carried_us += state->seen[i].cpu_us;
	}
	state->n_seen = kept;
}

static uint64_t children_us(void)
{
	struct rusage ru;

	if (getrusage(RUSAGE_CHILDREN, &ru) < 0)
		return 0;
	return (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec);
}

/*
 * Two sums, and the larger one counts.  The first has what processes waited
 * for, to the microsecond, but loses children that nobody waits for; the
 * second has those, but only as far as a sample met them.
 */
static uint64_t cpu_us(const struct sums *sums)
{
	uint64_t waited = sums->live_us + children_us();
	uint64_t met = sums->own_us + sums->state->carried_us;

	return waited > met ? waited : met;
}

/*
 * Shared pages are counted by mapping and by memfd, and most memfds are
 * mapped, so the sum of both would double them and end honest tasks.  The
 * larger of both is never less than half of what there is, and memory that
 * is only mapped, or only held, is counted in full.
 *
 * Pages that fork(2) shares are counted for each process.  Their true share
 * stands in smaps_rollup alone, which waits for a lock that the task holds.
 */
static uint64_t memory_bytes(const struct sums *sums)
{
	uint64_t shared = sums->mapped_shared_bytes;

	if (sums->memfd_bytes > shared)
		shared = sums->memfd_bytes;
	return sums->private_bytes + shared;
}

int sbxi_usage_sample(int proc_fd, bool own_pidns, bool want_memory,
		      struct sbxi_usage_state *state, struct sbxi_usage *ret)
{
	struct sums sums = { .want_memory = want_memory,
			     .fd_budget = FD_BUDGET,
			     .state = state };
	uint64_t us;
	int rc;

	memfd_sample++;
	state->mark++;
	rc = own_pidns ? add_namespace(proc_fd, &sums) :
			 add_descendants(proc_fd, &sums);
	if (rc < 0)
		return rc;
	forget_gone(state);
	us = cpu_us(&sums);
	if (us > state->cpu_us)
		state->cpu_us = us;
	*ret = (struct sbxi_usage){
		.memory_bytes = memory_bytes(&sums),
		.cpu_us = state->cpu_us,
		.processes = sums.processes,
	};
	return 0;
}
