/* SPDX-License-Identifier: Apache-2.0 */
/* judge: may the task change what it named there? */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/stat.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/trust.h"
#include "init/where.h"

/* What makes a folder a repository: git looks for nothing else. */
static const char *const parts[] = { "HEAD", "objects", "refs" };

/* Is path that folder, or in it?  Then the length of the folder's. */
static size_t is_within(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (strncmp(path, folder, n) != 0)
		return 0;
	if (n == 1)		/* "/" */
		return n;
	return path[n] == '/' || path[n] == '\0' ? n : 0;
}

/* The granted path that it lies in: the last one is the innermost. */
static const struct sbxi_plan_path *granted(const struct sbxi_jail *jail,
					    const char *path)
{
	const struct sbxi_plan_path *all = sbxi_plan_paths(jail->plan);
	const struct sbxi_plan_path *found = NULL;

	for (size_t i = 0; i < jail->plan->n_paths; i++)
		if (is_within(path, sbxi_plan_string(jail->plan, all[i].dest)))
			found = &all[i];
	return found;
}

/* Outside every grant: only what is the jail's own. */
static int judge_own(const struct sbxi_jail *jail, const char *path)
{
	if (is_within(path, "/proc"))
		return -EACCES;
	/* The mounts judge, and Landlock with them. */
	if (jail->tier == SBX_TIER_A || is_within(path, "/dev"))
		return 0;
	return is_within(path, jail->private_dir) > 0 ? 0 : -EACCES;
}

bool sbxi_where_is_older(const struct sbxi_jail *jail, int fd)
{
	struct statx stx;
	uint64_t born;

	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx) < 0 ||
	    !(stx.stx_mask & STATX_BTIME))
		return true;
	born = (uint64_t)stx.stx_btime.tv_sec * 1000000000u +
	       stx.stx_btime.tv_nsec;
	return born < jail->born_ns;
}

/* The last look failed: is nothing there?  What cannot be seen is. */
static bool is_absent(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

/* Is what the path names up to its n-th character there, from before? */
static bool was_there(const struct sbxi_jail *jail, const char *path, size_t n)
{
	char name[PATH_MAX];
	AUTO_FD fd = -1;

	memcpy(name, path, n);
	name[n] = '\0';
	fd = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 ? sbxi_where_is_older(jail, fd) : !is_absent();
}

static bool has(const char *folder, size_t n, const char *part)
{
	char name[PATH_MAX];
	struct sbxi_text t = SBXI_TEXT(name);
	struct stat st;

	for (size_t i = 0; i < n; i++)
		sbxi_text_char(&t, folder[i]);
	sbxi_text_char(&t, '/');
	sbxi_text_add(&t, part);
	return t.cut || lstat(name, &st) == 0 || !is_absent();
}

/* Is the folder that path is up to its n-th character a bare repository? */
static bool is_bare(const char *path, size_t n)
{
	for (size_t i = 0; i < SBXI_COUNT(parts); i++)
		if (!has(path, n, parts[i]))
			return false;
	return true;
}

/* Names below a bare repository, which may be the granted tree itself. */
static size_t match_in_bare(const char *path, size_t root)
{
	if (!sbxi_trust_is_candidate(path + root + (path[root] == '/')))
		return 0;
	for (size_t n = root; path[n]; n++) {
		size_t end;

		if (path[n] != '/')
			continue;
		end = sbxi_trust_match_below(path + n + 1);
		if (end > 0 && is_bare(path, n))
			return n + 1 + end;
	}
	return 0;
}

/* The granted tree may be a .git itself, or lie in one: that counts too. */
static size_t trust_start(const char *path, size_t root)
{
	for (size_t i = 0; i + 5 <= root; i++)
		if (!strncasecmp(path + i, "/.git", 5) &&
		    (path[i + 5] == '/' || i + 5 == root))
			return i + 1;
	return root + (path[root] == '/');
}

/* Does a new name here complete a repository? */
static bool completes(const char *path, size_t start)
{
	const char *name = strrchr(path, '/');
	size_t n = (size_t)(name - path);
	bool is_part = false;

	for (size_t i = 0; i < SBXI_COUNT(parts); i++)
		is_part = is_part || !strcasecmp(name + 1, parts[i]);
	/* In a .git, which could not be made, they come and go. */
	if (!is_part || !strncasecmp(path + start, ".git/", 5) ||
	    strcasestr(path + start, "/.git/"))
		return false;
	for (size_t i = 0; i < SBXI_COUNT(parts); i++)
		if (strcasecmp(name + 1, parts[i]) != 0 &&
		    !has(path, n, parts[i]))
			return false;
	return true;
}

/* The same for what lies on the way there. */
static bool leads_in_bare(const char *path, size_t root)
{
	for (size_t n = root; path[n]; n++)
		if (path[n] == '/' && sbxi_trust_leads_below(path + n + 1) &&
		    is_bare(path, n))
			return true;
	return false;
}

static int judge_tree(const struct sbxi_jail *jail, const char *path,
		      size_t root)
{
	bool strict = jail->plan->protect == SBX_PROTECT_STRICT;

	if (!sbxi_trust_leads(path + trust_start(path, root)) &&
	    !leads_in_bare(path, root))
		return 0;
	return strict || was_there(jail, path, strlen(path)) ? -EPERM : 0;
}

static int judge_trust(const struct sbxi_jail *jail, const char *path,
		       size_t root, enum sbxi_change change)
{
	bool strict = jail->plan->protect == SBX_PROTECT_STRICT;
	size_t start = trust_start(path, root);
	size_t end = sbxi_trust_match(path + start);

	end = end > 0 ? start + end : match_in_bare(path, root);
	if (end > 0)
		return strict || was_there(jail, path, end) ? -EPERM : 0;
	if (strict && change != SBXI_CHANGE_THING &&
	    change != SBXI_CHANGE_REMOVE && completes(path, start))
		return -EPERM;
	return change == SBXI_CHANGE_TREE ? judge_tree(jail, path, root) : 0;
}

int sbxi_where_judge(const struct sbxi_jail *jail, const struct sbxi_where *w,
		     enum sbxi_change change)
{
	const struct sbxi_plan_path *g;

	if (w->path[0] != '/')
		return -EACCES;
	g = granted(jail, w->path);
	if (!g)
		return judge_own(jail, w->path);
	/* As the mount would have it. */
	if (!(g->rights & SBX_WRITE))
		return jail->tier == SBX_TIER_A ? -EROFS : -EACCES;
	if (jail->plan->protect == SBX_PROTECT_OFF || !sbxi_trust_covers(g))
		return 0;
	return judge_trust(jail, w->path,
			   strlen(sbxi_plan_string(jail->plan, g->dest)),
			   change);
}

const char *sbxi_where_grant(const struct sbxi_jail *jail,
			     const struct sbxi_where *w)
{
	const struct sbxi_plan_path *g = granted(jail, w->path);

	return g ? sbxi_plan_string(jail->plan, g->dest) : NULL;
}

bool sbxi_where_is_covered(const struct sbxi_jail *jail,
			   const struct sbxi_where *w)
{
	const struct sbxi_plan_path *g = granted(jail, w->path);

	return g && jail->plan->protect != SBX_PROTECT_OFF &&
	       sbxi_trust_covers(g);
}

bool sbxi_where_is_folder(const struct sbxi_where *w)
{
	struct stat st;

	return w->thing < 0 &&
	       fstatat(w->folder, w->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

int sbxi_where_judge_read(const struct sbxi_jail *jail,
			  const struct sbxi_where *w)
{
	const struct sbxi_plan_path *g = granted(jail, w->path);

	if (w->path[0] != '/')
		return -EACCES;
	if (!g)
		return judge_own(jail, w->path);
	return g->rights & SBX_READ ? 0 : -EACCES;
}
