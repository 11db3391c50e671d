/* SPDX-License-Identifier: Apache-2.0 */
/* exec: find the program as the task would, and say exactly why not. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/target.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

struct failure {
	int code;
	char object[256];	/* the program, or the interpreter it wants */
	bool interpreter;
};

static bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* "#!/usr/bin/env python3": the first word after the mark. */
static bool script_interpreter(const char *head, ssize_t n, char *to,
			       size_t size)
{
	struct sbxi_text t = { .buf = to, .size = size };
	ssize_t i = 2;

	if (n < 3 || head[0] != '#' || head[1] != '!')
		return false;
	to[0] = '\0';
	while (i < n && (head[i] == ' ' || head[i] == '\t'))
		i++;
	for (; i < n && !strchr(" \t\r\n", head[i]); i++)
		sbxi_text_char(&t, head[i]);
	return t.len > 0;
}

/* PT_INTERP of a 64-bit program: its dynamic loader. */
static bool elf_interpreter(int fd, const char *head, ssize_t n, char *to,
			    size_t size)
{
	const Elf64_Ehdr *e = (const void *)head;

	if (n < (ssize_t)sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (int i = 0; i < e->e_phnum && i < 64; i++) {
		Elf64_Phdr p;
		off_t at = (off_t)(e->e_phoff + (uint64_t)i * sizeof(p));

		if (pread(fd, &p, sizeof(p), at) != (ssize_t)sizeof(p))
			return false;
		if (p.p_type != PT_INTERP || p.p_filesz >= size)
			continue;
		to[p.p_filesz] = '\0';
		return pread(fd, to, p.p_filesz, (off_t)p.p_offset) ==
		       (ssize_t)p.p_filesz;
	}
	return false;
}

static bool find_interpreter(const char *path, char *to, size_t size)
{
	char head[512] __attribute__((aligned(8)));
	/* A FIFO there would let us wait for ever. */
	AUTO_FD fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	n = pread(fd, head, sizeof(head), 0);
	return script_interpreter(head, n, to, size) ||
	       elf_interpreter(fd, head, n, to, size);
}

static void note(struct failure *f, int code, const char *path)
{
	struct sbxi_text t = SBXI_TEXT(f->object);

	f->code = code;
	f->interpreter = false;
	/* A program that is there, and is not found: its interpreter is not. */
	if ((code == -ENOENT || code == -EACCES) && exists(path)) {
		f->interpreter = find_interpreter(path, f->object,
						  sizeof(f->object)) &&
				 (code == -ENOENT ||
				  access(path, X_OK) == 0);
		if (f->interpreter)
			return;
		t = SBXI_TEXT(f->object);
	}
	sbxi_text_add(&t, path);
}

static void try_one(char *const *argv, char *const *envp, const char *path,
		    struct failure *f)
{
	execve(path, argv, envp);
	note(f, -errno, path);
}

/* Like execvp(3): a folder that may not be searched does not end the search. */
static void try_path(char *const *argv, char *const *envp, struct failure *f)
{
	const char *dirs = sbxi_environ_get(envp, "PATH");
	struct failure here = { .code = -ENOENT };

	note(f, -ENOENT, argv[0]);
	for (dirs = dirs ? dirs : DEFAULT_PATH; *dirs;) {
		char path[4096];
		struct sbxi_text t = SBXI_TEXT(path);
		size_t n = strcspn(dirs, ":");

		for (size_t i = 0; i < n; i++)
			sbxi_text_char(&t, dirs[i]);
		if (n > 0)
			sbxi_text_char(&t, '/');
		sbxi_text_add(&t, argv[0]);
		dirs += n + (dirs[n] == ':');
		if (t.cut)
			continue;
		try_one(argv, envp, path, &here);
		if (here.code != -ENOENT || here.interpreter)
			*f = here;
		if (here.code != -ENOENT && here.code != -EACCES &&
		    here.code != -ENOTDIR)
			return;
	}
}

static uint32_t remedy_of(const struct failure *f)
{
	if (f->interpreter)
		return SBXI_REMEDY_INTERPRETER;
	return f->code == -EACCES ? SBXI_REMEDY_GRANT_EXEC : 0;
}

void sbxi_exec(struct sbxi_jail *jail, char *const *argv, char *const *envp)
{
	struct failure f = { .code = -ENOENT };

	if (strchr(argv[0], '/'))
		try_one(argv, envp, argv[0], &f);
	else
		try_path(argv, envp, &f);
	sbxi_die(jail, f.code, remedy_of(&f), f.object,
		 f.interpreter ? "the interpreter of the program cannot be used"
			       : "");
}
