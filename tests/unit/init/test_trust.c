/* SPDX-License-Identifier: Apache-2.0 */
/* Which names are protected, by the shipped list itself. */

#include <string.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "init/trust.h"

struct expected {
	const char *path;
	const char *thing;	/* what is protected there; NULL: nothing */
};

static void check(const struct expected *e, size_t n,
		  size_t (*match)(const char *))
{
	for (size_t i = 0; i < n; i++) {
		size_t want = e[i].thing ? strlen(e[i].thing) : 0;

		cr_expect_eq(match(e[i].path), want, "%s: %zu, not %zu",
			     e[i].path, match(e[i].path), want);
	}
}

Test(trust, names_of_the_list_at_any_depth)
{
	static const struct expected e[] = {
		{ ".git", ".git" },
		{ "a/b/.git", "a/b/.git" },
		{ ".git/config", ".git/config" },
		{ "sub/.git/hooks", "sub/.git/hooks" },
		{ "sub/.git/hooks/pre-commit", "sub/.git/hooks" },
		{ ".git/hooks/a/b/c", ".git/hooks" },
		{ ".git/info/attributes", ".git/info/attributes" },
		{ ".git/modules/x/hooks/y", ".git/modules/x/hooks" },
		{ ".git/modules/x/y/z/config", ".git/modules/x/y/z/config" },
		{ ".bashrc", ".bashrc" },
		{ "deep/er/.envrc", "deep/er/.envrc" },
		{ ".vscode", ".vscode" },
		{ ".vscode/settings.json", ".vscode" },
		{ "a/.claude/commands/x.md", "a/.claude" },
		{ ".mcp.json", ".mcp.json" },
	};

	check(e, SBXI_COUNT(e), sbxi_trust_match);
}

Test(trust, case_does_not_matter)
{
	static const struct expected e[] = {
		{ ".GIT", ".GIT" },
		{ ".Git/Config", ".Git/Config" },
		{ ".VSCode/tasks.json", ".VSCode" },
	};

	check(e, SBXI_COUNT(e), sbxi_trust_match);
}

Test(trust, what_tools_write_is_not_protected)
{
	static const struct expected e[] = {
		{ ".git/index", NULL },
		{ ".git/objects/ab/cdef", NULL },
		{ ".git/refs/heads/main", NULL },
		{ ".git/HEAD", NULL },
		{ ".git/config.lock", NULL },
		{ ".git/hooksx", NULL },
		{ ".git/info/exclude", NULL },
		{ ".gitignore", NULL },
		{ ".gitmodules", NULL },
		{ ".gitattributes", NULL },
		{ ".husky/pre-commit", NULL },
		{ "package.json", NULL },
		{ ".npmrc", NULL },
		{ "AGENTS.md", NULL },
		{ "hooks/pre-commit", NULL },
		{ "config", NULL },
		{ ".bashrcx", NULL },
		{ ".bashrc/x", NULL },
		{ "vscode/settings.json", NULL },
		{ "", NULL },
	};

	check(e, SBXI_COUNT(e), sbxi_trust_match);
}

Test(trust, a_bare_repository_has_the_same_without_git_in_front)
{
	static const struct expected e[] = {
		{ "hooks/pre-commit", "hooks" },
		{ "config", "config" },
		{ "info/attributes", "info/attributes" },
		{ "objects/ab", NULL },
		{ ".bashrc", NULL },
	};

	check(e, SBXI_COUNT(e), sbxi_trust_match_below);
	cr_expect(sbxi_trust_is_candidate("mirror/hooks/pre-commit"));
	cr_expect(sbxi_trust_is_candidate("a/b/config"));
	cr_expect_not(sbxi_trust_is_candidate("src/main.c"));
}

Test(trust, what_lies_on_the_way_brings_it_along)
{
	cr_expect(sbxi_trust_leads(".git/info"));
	cr_expect(sbxi_trust_leads("sub/.git"));
	cr_expect(sbxi_trust_leads(".git/modules"));
	cr_expect(sbxi_trust_leads(".git/modules/x"));
	cr_expect(sbxi_trust_leads(".git/worktrees/x"));
	cr_expect(sbxi_trust_leads_below("info"));
	cr_expect_not(sbxi_trust_leads(".git/objects"));
	cr_expect_not(sbxi_trust_leads(".git/refs/heads"));
	cr_expect_not(sbxi_trust_leads("src"));
	cr_expect_not(sbxi_trust_leads(""));
	cr_expect_not(sbxi_trust_leads_below("objects"));
}

Test(trust, trees_that_are_granted_for_writing_are_covered)
{
	struct sbxi_plan_path p = { .rights = SBX_READ | SBX_WRITE,
				    .id.type = S_IFDIR };

	cr_expect(sbxi_trust_covers(&p));
	p.flags = SBXI_PATH_NO_PROTECT;
	cr_expect_not(sbxi_trust_covers(&p));
	p.flags = 0;
	p.rights = SBX_READ;
	cr_expect_not(sbxi_trust_covers(&p));
	p.rights = SBX_READ | SBX_WRITE;
	p.id.type = S_IFREG;
	cr_expect_not(sbxi_trust_covers(&p));
}
