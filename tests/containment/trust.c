/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust: files of the workspace that something outside will later run or
 * believe.  Each probe has a folder of its own with a repository and settings
 * in it; the runner compares the one path that matters.
 */
#include <dirent.h>
#include <libgen.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "probe.h"

enum act {
	WRITE,          /* opens it for writing, there or not */
	TRUNCATE,
	MAKE,           /* with the folders that it lies in */
	REPLACE,        /* renames another file over it */
	AWAY,           /* renames it to something else */
	EXCHANGE,       /* swaps it with another file */
	REMOVE,
	LINK,           /* gives it as a second name to a file of our own */
	NAMELESS,       /* the same with a file that had no name yet */
	SYMLINK,
	BIND,           /* a socket takes the name */
	FOLDER,         /* a folder takes the name */
	MOVE_IN,        /* a prepared folder is renamed to its first part */
	BY_SYMLINK,     /* writes through a link to it */
	BY_LINK,        /* writes through a second name of it */
	BY_FOLDER_LINK, /* writes through a link to its folder */
	BY_FOLDER_MOVE, /* renames its folder, writes, and renames it back */
	BY_FD,          /* from a descriptor of its folder */
	BY_PROC,        /* read first, then opened anew by its link in /proc */
	MODE            /* makes it executable */
};

struct trust {
	const char *name;
	enum act act;
	const char *path;
};

static const struct trust table[] = {
	{ "trust.hook-write", WRITE, ".git/hooks/pre-commit" },
	{ "trust.hook-truncate", TRUNCATE, ".git/hooks/pre-commit" },
	{ "trust.hook-mode", MODE, ".git/hooks/pre-commit" },
	{ "trust.hook-remove", REMOVE, ".git/hooks/pre-commit" },
	{ "trust.hook-new", MAKE, ".git/hooks/post-merge" },
	{ "trust.hook-replace", REPLACE, ".git/hooks/pre-commit" },
	{ "trust.hook-exchange", EXCHANGE, ".git/hooks/pre-commit" },
	{ "trust.hook-link", LINK, ".git/hooks/post-merge" },
	{ "trust.hook-nameless", NAMELESS, ".git/hooks/post-merge" },
	{ "trust.hook-symlink", SYMLINK, ".git/hooks/post-merge" },
	{ "trust.hook-by-symlink", BY_SYMLINK, ".git/hooks/pre-commit" },
	{ "trust.hook-by-link", BY_LINK, ".git/hooks/pre-commit" },
	{ "trust.hook-by-folder-link", BY_FOLDER_LINK,
	  ".git/hooks/post-merge" },
	{ "trust.hook-by-folder-move", BY_FOLDER_MOVE,
	  ".git/hooks/post-merge" },
	{ "trust.hook-by-fd", BY_FD, ".git/hooks/post-merge" },
	{ "trust.hooks-away", AWAY, ".git/hooks" },
	{ "trust.git-away", AWAY, ".git" },
	{ "trust.git-exchange", EXCHANGE, ".git" },
	{ "trust.config-write", WRITE, ".git/config" },
	{ "trust.config-replace", REPLACE, ".git/config" },
	{ "trust.config-away", AWAY, ".git/config" },
	{ "trust.worktree-config-new", MAKE, ".git/config.worktree" },
	{ "trust.attributes-new", MAKE, ".git/info/attributes" },
	{ "trust.module-config-write", WRITE, ".git/modules/sub/config" },
	{ "trust.nested-new", MAKE, "sub/.git/hooks/pre-commit" },
	{ "trust.nested-config-new", MAKE, "a/b/c/.git/config" },
	{ "trust.nested-move-in", MOVE_IN, "sub/.git" },
	{ "trust.git-file-new", MAKE, "sub/.git" },
	{ "trust.git-symlink-new", SYMLINK, "sub/.git" },
	{ "trust.git-bind", BIND, "sub/.git" },
	{ "trust.gitconfig-new", MAKE, ".gitconfig" },
	{ "trust.bashrc-write", WRITE, ".bashrc" },
	{ "trust.bashrc-replace", REPLACE, ".bashrc" },
	{ "trust.bashrc-by-symlink", BY_SYMLINK, ".bashrc" },
	{ "trust.bashrc-by-link", BY_LINK, ".bashrc" },
	{ "trust.profile-new", MAKE, ".profile" },
	{ "trust.zshenv-new", MAKE, ".zshenv" },
	{ "trust.zshenv-link", LINK, ".zshenv" },
	{ "trust.envrc-new", MAKE, ".envrc" },
	{ "trust.envrc-deep-new", MAKE, "a/b/c/.envrc" },
	{ "trust.envrc-nameless", NAMELESS, ".envrc" },
	{ "trust.envrc-symlink", SYMLINK, ".envrc" },
	{ "trust.envrc-bind", BIND, ".envrc" },
	{ "trust.mcp-write", WRITE, ".mcp.json" },
	{ "trust.mcp-case", MAKE, "sub/.MCP.json" },
	{ "trust.claude-write", WRITE, ".claude/settings.json" },
	{ "trust.claude-new", MAKE, ".claude/settings.local.json" },
	{ "trust.claude-command-new", MAKE, ".claude/commands/go.md" },
	{ "trust.claude-away", AWAY, ".claude" },
	{ "trust.claude-deep-new", MAKE, "sub/.claude/settings.json" },
	{ "trust.codex-new", MAKE, ".codex/config.toml" },
	{ "trust.codex-folder", FOLDER, ".codex" },
	{ "trust.cursor-new", MAKE, ".cursor/mcp.json" },
	{ "trust.vscode-write", WRITE, ".vscode/settings.json" },
	{ "trust.vscode-tasks-new", MAKE, ".vscode/tasks.json" },
	{ "trust.vscode-move-in", MOVE_IN, "sub/.vscode" },
	{ "trust.idea-new", MAKE, ".idea/workspace.xml" },
	{ "trust.git-case", MAKE, "sub/.GIT/hooks/pre-commit" },
	{ "trust.linked-write", WRITE, "linked" },
	/* What tasks must be able to change, though others use it. */
	{ "work.agents-md", WRITE, "AGENTS.md" },
	{ "work.package-json", WRITE, "package.json" },
	{ "work.npmrc", MAKE, ".npmrc" },
	{ "work.husky", MAKE, ".husky/pre-commit" },
	{ "work.gitattributes", MAKE, ".gitattributes" },
	{ "work.gitignore", MAKE, ".gitignore" },
	{ "work.sitecustomize", MAKE, "sitecustomize.py" },
	{ "work.github", MAKE, ".github/workflows/ci.yml" },
	{ "work.git-index", MAKE, ".git/index" },
	{ "work.git-object", MAKE, ".git/objects/ab/cdef" },
	{ "work.git-branch", MAKE, ".git/refs/heads/topic" },
	{ "work.file-write", WRITE, "readme" },
	{ "work.file-new", MAKE, "a/b/c/file" },
	{ "work.file-replace", REPLACE, "readme" },
	{ "work.file-away", AWAY, "readme" },
	{ "work.file-exchange", EXCHANGE, "readme" },
	{ "work.file-remove", REMOVE, "readme" },
	{ "work.file-link", LINK, "second" },
	{ "work.file-nameless", NAMELESS, "second" },
	{ "work.file-symlink", SYMLINK, "second" },
	{ "work.file-by-link", BY_SYMLINK, "readme" },
	{ "work.link-write", BY_LINK, "readme" },
	{ "work.file-mode", MODE, "readme" },
	{ "work.file-by-proc", BY_PROC, "readme" },
	{ "work.folder-move-in", MOVE_IN, "sub/folder" },
	{ "work.folder-move-write", BY_FOLDER_MOVE, "plain/file" },
	{ NULL, WRITE, NULL }
};

static const struct trust *entry(void)
{
	const struct trust *t = table;

	while (strcmp(t->name, probe_name) != 0)
		t++;
	return t;
}

static const char *folder_of(const char *path)
{
	static char copy[512];

	snprintf(copy, sizeof(copy), "%s", path);
	return dirname(copy);
}

static int make_folders(const char *path)
{
	char part[512];

	snprintf(part, sizeof(part), "%s", path);
	for (char *c = strchr(part, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return -1;
		*c = '/';
	}
	return 0;
}

static int write_to(const char *path, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0644);
	int rc;

	if (fd < 0)
		return -1;
	rc = write(fd, "changed\n", 8) == 8 ? 0 : -1;
	close(fd);
	return rc;
}

static int swap_with(const char *path)
{
	if (write_to("swapped", O_CREAT) < 0)
		return -1;
	return renameat2(AT_FDCWD, "swapped", AT_FDCWD, path, 2);
}

static int link_nameless(const char *path)
{
	char self[64];
	int fd = open(folder_of(path), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, "changed\n", 8) != 8)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static int bind_to(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", path);
	return fd < 0 ? -1 : bind(fd, (struct sockaddr *)&a, sizeof(a));
}

static int move_folder_in(const char *path)
{
	if (mkdir("prepared", 0755) < 0 ||
	    mkdir("prepared/hooks", 0755) < 0 ||
	    write_to("prepared/hooks/pre-commit", O_CREAT) < 0)
		return -1;
	return rename("prepared", path);
}

static int by_folder_link(const char *path)
{
	char name[512];

	if (symlink(folder_of(path), "door") < 0)
		return -1;
	snprintf(name, sizeof(name), "door/%s", strrchr(path, '/') + 1);
	return write_to(name, O_CREAT);
}

static int by_folder_move(const char *path)
{
	char name[512];
	int rc;

	if (rename(folder_of(path), "moved") < 0)
		return -1;
	snprintf(name, sizeof(name), "moved/%s", strrchr(path, '/') + 1);
	rc = write_to(name, O_CREAT);
	return rename("moved", folder_of(path)) < 0 ? -1 : rc;
}

static int by_fd(const char *path)
{
	int dir = open(folder_of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = openat(dir, strrchr(path, '/') + 1,
			O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	return fd < 0 ? -1 : write(fd, "changed\n", 8) == 8 ? 0 : -1;
}

static int by_proc(const char *path)
{
	char self[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return fd < 0 ? -1 : write_to(self, O_APPEND);
}

static int change(enum act act, const char *path)
{
	switch (act) {
	case WRITE:
		return write_to(path, O_APPEND);
	case TRUNCATE:
		return write_to(path, O_TRUNC);
	case MAKE:
		return make_folders(path) < 0 ? -1 : write_to(path, O_CREAT);
	case REPLACE:
		return write_to("other", O_CREAT) < 0 ? -1 :
			rename("other", path);
	case AWAY:
		return rename(path, "elsewhere");
	case EXCHANGE:
		return swap_with(path);
	case REMOVE:
		return unlink(path);
	case LINK:
		return write_to("other", O_CREAT) < 0 ? -1 :
			link("other", path);
	case NAMELESS:
		return link_nameless(path);
	case SYMLINK:
		return make_folders(path) < 0 ? -1 : symlink("readme", path);
	case BIND:
		return make_folders(path) < 0 ? -1 : bind_to(path);
	case FOLDER:
		return mkdir(path, 0755);
	case MOVE_IN:
		return make_folders(path) < 0 ? -1 : move_folder_in(path);
	case BY_SYMLINK:
		return symlink(path, "door") < 0 ? -1 :
			write_to("door", O_APPEND);
	case BY_LINK:
		return link(path, "door") < 0 ? -1 : write_to("door", O_APPEND);
	case BY_FOLDER_LINK:
		return by_folder_link(path);
	case BY_FOLDER_MOVE:
		return by_folder_move(path);
	case BY_FD:
		return by_fd(path);
	case BY_PROC:
		return by_proc(path);
	case MODE:
		return chmod(path, 0711);
	}
	return -1;
}

static enum verdict by_table(void)
{
	const struct trust *t = entry();

	return outcome(change(t->act, t->path));
}

/* Piece by piece; whatever order it is, one of them is the last. */
static enum verdict complete_bare(void)
{
	if (mkdir("bare", 0755) < 0 || mkdir("bare/hooks", 0755) < 0 ||
	    write_to("bare/hooks/post-update", O_CREAT) < 0 ||
	    write_to("bare/config", O_CREAT) < 0)
		return absent("ordinary files are refused");
	if (mkdir("bare/objects", 0755) < 0 || mkdir("bare/refs", 0755) < 0)
		return outcome(-1);
	return outcome(write_to("bare/HEAD", O_CREAT));
}

/* The last piece comes by a rename. */
static enum verdict complete_bare_rename(void)
{
	if (mkdir("bare", 0755) < 0 || mkdir("bare/objects", 0755) < 0 ||
	    write_to("bare/HEAD", O_CREAT) < 0 ||
	    mkdir("other", 0755) < 0)
		return absent("ordinary files are refused");
	return outcome(rename("other", "bare/refs"));
}

/* What lies above must not be exchanged either. */
static enum verdict parent_away(void)
{
	if (rename("deep/project", "deep/aside") < 0)
		return outcome(-1);
	if (make_folders("deep/project/.git/hooks/") < 0)
		return outcome(-1);
	return outcome(write_to("deep/project/.git/hooks/pre-commit",
				O_CREAT));
}

/* Down to where a path is hardly, or not at all, short enough to be told. */
static void go_too_deep(void)
{
	const char *part = key("deep");

	while (*part && chdir(part) == 0)
		;
	if (chdir(own_key("last")) < 0)
		show("it is not there");
}

static enum verdict too_long(void)
{
	go_too_deep();
	return outcome(write_to(".envrc", O_APPEND));
}

static enum verdict too_long_by_proc(void)
{
	go_too_deep();
	return outcome(by_proc(".envrc"));
}

static enum verdict too_long_mode(void)
{
	go_too_deep();
	return outcome(fchmod(open(".envrc", O_RDONLY | O_CLOEXEC), 0711));
}

const struct probe trust_probes[] = {
	{ "trust.bare-new", complete_bare },
	{ "trust.bare-rename", complete_bare_rename },
	{ "trust.parent-away", parent_away },
	{ "trust.too-long", too_long },
	{ "trust.too-long-by-proc", too_long_by_proc },
	{ "trust.too-long-mode", too_long_mode },
#define T(name) { name, by_table }
	T("trust.hook-write"), T("trust.hook-truncate"), T("trust.hook-mode"),
	T("trust.hook-remove"), T("trust.hook-new"), T("trust.hook-replace"),
	T("trust.hook-exchange"), T("trust.hook-link"),
	T("trust.hook-nameless"), T("trust.hook-symlink"),
	T("trust.hook-by-symlink"), T("trust.hook-by-link"),
	T("trust.hook-by-folder-link"), T("trust.hook-by-folder-move"),
	T("trust.hook-by-fd"), T("trust.hooks-away"), T("trust.git-away"),
	T("trust.git-exchange"), T("trust.config-write"),
	T("trust.config-replace"), T("trust.config-away"),
	T("trust.worktree-config-new"), T("trust.attributes-new"),
	T("trust.module-config-write"), T("trust.nested-new"),
	T("trust.nested-config-new"), T("trust.nested-move-in"),
	T("trust.git-file-new"), T("trust.git-symlink-new"),
	T("trust.git-bind"), T("trust.gitconfig-new"),
	T("trust.bashrc-write"), T("trust.bashrc-replace"),
	T("trust.bashrc-by-symlink"), T("trust.bashrc-by-link"),
	T("trust.profile-new"), T("trust.zshenv-new"), T("trust.zshenv-link"),
	T("trust.envrc-new"), T("trust.envrc-deep-new"),
	T("trust.envrc-nameless"), T("trust.envrc-symlink"),
	T("trust.envrc-bind"), T("trust.mcp-write"), T("trust.mcp-case"),
	T("trust.claude-write"), T("trust.claude-new"),
	T("trust.claude-command-new"), T("trust.claude-away"),
	T("trust.claude-deep-new"), T("trust.codex-new"),
	T("trust.codex-folder"), T("trust.cursor-new"),
	T("trust.vscode-write"), T("trust.vscode-tasks-new"),
	T("trust.vscode-move-in"), T("trust.idea-new"), T("trust.git-case"),
	T("trust.linked-write"),
	T("work.agents-md"), T("work.package-json"), T("work.npmrc"),
	T("work.husky"), T("work.gitattributes"), T("work.gitignore"),
	T("work.sitecustomize"), T("work.github"), T("work.git-index"),
	T("work.git-object"), T("work.git-branch"), T("work.file-write"),
	T("work.file-new"), T("work.file-replace"), T("work.file-away"),
	T("work.file-exchange"), T("work.file-remove"), T("work.file-link"),
	T("work.file-nameless"), T("work.file-symlink"),
	T("work.file-by-link"), T("work.link-write"), T("work.file-mode"),
	T("work.file-by-proc"), T("work.folder-move-in"), T("work.folder-move-write"),
	{ NULL, NULL }
};
