/* SPDX-License-Identifier: Apache-2.0 */
/* json: the text of a policy file to a policy.  sbx_policy(5) */
#include "policy/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/expand.h"

#define TEXT_MAX (1u << 20)
#define DEPTH_MAX 32
#define NAME_BYTES 255
#define TASK_FD_MAX 1048575	/* fs.nr_open where nobody raised it */

static const char *const profiles[] = { "empty", "tool", NULL };
static const char *const later_profiles[] = { "call", NULL };
static const char *const networks[] = { "none", "broker", NULL };
static const char *const protections[] = {
	"strict", "existing", "off", NULL
};
static const char *const levels[] = { "off", "prefer", "require", NULL };

/* A word that this version knows, or one that a later one will. */
static int read_word(struct sbxi_load *l, const json_t *value,
		     const char *const *words, const char *const *later,
		     uint32_t *ret)
{
	const char *text = json_string_value(value);

	for (; text && *later; later++)
		if (strcmp(*later, text) == 0)
			return sbxi_fail_remedy(l->fail, SBX_STEP_PARSE,
						-EOPNOTSUPP,
						SBXI_REMEDY_VERSION, l->at,
						"%.100s \"%s\" is not enforced by this version",
						l->at, text);
	return sbxi_load_word(l, value, words, ret);
}

/* files */

struct file {
	char *path, *dest;
	uint32_t rights;
	bool optional, protect;
	struct sbxi_labels labels;
};

static int file_path(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct file *)into)->path);
}

static int file_dest(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct file *)into)->dest);
}

static int file_rights(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_rights(l, value, "rwx",
				&((struct file *)into)->rights);
}

static int file_optional(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_bool(l, value, &((struct file *)into)->optional);
}

static int file_protect(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_bool(l, value, &((struct file *)into)->protect);
}

static int file_labels(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_labels(l, value, &((struct file *)into)->labels);
}

static const struct sbxi_key file_keys[] = {
	{ "path", file_path, true },
	{ "dest", file_dest, false },
	{ "rights", file_rights, true },
	{ "optional", file_optional, false },
	{ "protect", file_protect, false },
	{ "labels", file_labels, false },
	{ NULL, NULL, false },
};

static int add_file(struct sbxi_load *l, const struct file *f)
{
	uint32_t flags = (f->optional ? SBX_PATH_OPTIONAL : 0) |
			 (f->protect ? 0 : SBX_PATH_NO_PROTECT);
	int rc = sbxi_policy_add_path(l->policy, f->path, f->dest, f->rights,
				      flags, l->fail);
	bool about_dest = rc < 0 && f->dest &&
			  strcmp(f->path, f->dest) != 0 &&
			  strncmp(l->fail->object, f->dest,
				  sizeof(l->fail->object) - 1) == 0;

	return sbxi_load_refused(l, rc, about_dest ? "dest" : "path");
}

static int label_file(struct sbxi_load *l, const struct file *f)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < f->labels.n; i++)
		rc = sbxi_mandate_label(&l->policy->mandate, f->path,
					f->labels.word[i]);
	if (rc == 0)
		return 0;
	return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, "%s",
			 rc == -E2BIG ? "over 1,024 labels of files" :
					"out of memory");
}

static int read_file(struct sbxi_load *l, const json_t *value)
{
	struct file f = { .protect = true };
	int rc = sbxi_load_object(l, value, file_keys, &f);

	if (rc == 0)
		rc = add_file(l, &f);
	if (rc == 0)
		rc = label_file(l, &f);
	free(f.path);
	free(f.dest);
	sbxi_labels_done(&f.labels);
	return rc;
}

static int read_files(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_array(l, value, read_file);
}

/* grants */

struct grant {
	char *name, *connect, *open;
	uint32_t rights;
	int32_t fd;
	struct sbxi_budget budget;
	struct sbxi_labels labels;
};

static int grant_name(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct grant *)into)->name);
}

static int grant_connect(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct grant *)into)->connect);
}

static int grant_open(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct grant *)into)->open);
}

static int grant_rights(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_rights(l, value, "rw",
				&((struct grant *)into)->rights);
}

static int grant_fd(struct sbxi_load *l, const json_t *value, void *into)
{
	json_int_t fd = json_integer_value(value);

	if (!json_is_integer(value) || fd < 3 || fd > TASK_FD_MAX)
		return sbxi_load_bad(l, "has to be a number from 3 to %d",
				     TASK_FD_MAX);
	((struct grant *)into)->fd = (int32_t)fd;
	return 0;
}

static int grant_budget(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_budget(l, value, &((struct grant *)into)->budget);
}

static int grant_labels(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_labels(l, value, &((struct grant *)into)->labels);
}

static const struct sbxi_key grant_keys[] = {
	{ "name", grant_name, true },
	{ "connect", grant_connect, false },
	{ "open", grant_open, false },
	{ "rights", grant_rights, false },
	{ "fd", grant_fd, false },
	{ "budget", grant_budget, false },
	{ "labels", grant_labels, false },
	{ "listen", sbxi_load_not_yet, false },
	{ NULL, NULL, false },
};

/* The grant that was added last takes over what no builder looks at. */
static void budget_grant(struct sbxi_load *l, struct grant *g)
{
	struct sbxi_policy_grant *last =
		&l->policy->grants[l->policy->n_grants - 1];

	last->budget = g->budget;
	last->labels = g->labels;
	g->labels = (struct sbxi_labels){ .n = 0 };
}

static int add_grant(struct sbxi_load *l, const struct grant *g)
{
	const char *key = g->connect ? "connect" : "open";
	uint32_t rights = g->rights;
	int rc;

	if (!g->connect == !g->open)
		return sbxi_load_bad(l, "needs one of \"connect\" and \"open\"");
	if (g->open && rights == 0)
		rights = SBX_READ;
	if (!sbxi_grant_name_ok(g->name))
		key = "name";
	for (size_t i = 0; i < l->policy->n_grants; i++)
		if (strcmp(l->policy->grants[i].name, g->name) == 0)
			key = "name";
	rc = sbxi_policy_add_grant(l->policy,
				   g->connect ? SBX_GRANT_CONNECT :
						SBX_GRANT_FILE,
				   g->name, g->connect ? g->connect : g->open,
				   rights, g->fd, l->fail);
	return sbxi_load_refused(l, rc, key);
}

static int read_grant(struct sbxi_load *l, const json_t *value)
{
	struct grant g = { .fd = -1, .budget = sbxi_budget_none() };
	int rc = sbxi_load_object(l, value, grant_keys, &g);

	if (rc == 0)
		rc = add_grant(l, &g);
	if (rc == 0)
		budget_grant(l, &g);
	sbxi_labels_done(&g.labels);
	free(g.name);
	free(g.connect);
	free(g.open);
	return rc;
}

static int read_grants(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_array(l, value, read_grant);
}

/* environment */

static int set_env(struct sbxi_load *l, const char *name, const char *value)
{
	int rc = sbxi_policy_set_env(l->policy, name, value);

	if (rc == -EINVAL)
		return sbxi_load_bad(l, "\"%.80s\" cannot be the name of a variable here",
				     name);
	if (rc == -E2BIG)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at,
				 "over 128 KiB in one variable, or over 4,096 variables");
	if (rc < 0)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, NULL);
	return 0;
}

/* A name that the caller's environment lacks is not set, but it is checked. */
static int pass_one(struct sbxi_load *l, const json_t *value)
{
	const char *name = json_string_value(value);
	const char *found;

	if (!name)
		return sbxi_load_bad(l, "has to be a string");
	found = sbxi_list_value(l->envp, name);
	if (!found && sbxi_env_name_ok(name))
		return 0;
	return set_env(l, name, found ? found : "");
}

static int read_pass(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_array(l, value, pass_one);
}

static int set_one(struct sbxi_load *l, const char *name, const json_t *value)
{
	char *text = NULL;
	int rc = sbxi_load_text(l, value, &text);

	if (rc == 0)
		rc = set_env(l, name, text);
	free(text);
	return rc;
}

static int read_set(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_members(l, value, set_one);
}

/* What is set wins over what is passed: it is read later. */
static const struct sbxi_key environment_keys[] = {
	{ "pass", read_pass, false },
	{ "set", read_set, false },
	{ NULL, NULL, false },
};

static int read_environment(struct sbxi_load *l, const json_t *value,
			    void *into)
{
	return sbxi_load_object(l, value, environment_keys, into);
}

/* limits and properties: their keys are the names in names.c */

static int limit_one(struct sbxi_load *l, const char *name,
		     const json_t *value)
{
	int which = sbxi_limit_by_name(name);
	uint64_t count = 0;
	int rc;

	if (which < 0)
		return sbxi_load_bad(l, "unknown key");
	rc = sbxi_load_count(l, value, &count);
	if (rc < 0)
		return rc;
	return sbxi_policy_set_limit(l->policy, (uint32_t)which, count);
}

static int read_limits(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_members(l, value, limit_one);
}

static int property_one(struct sbxi_load *l, const char *name,
			const json_t *value)
{
	int property = sbxi_property_by_name(name);
	uint32_t level = SBX_OFF;
	int rc;

	if (property < 0)
		return sbxi_load_bad(l, "unknown key");
	rc = sbxi_load_word(l, value, levels, &level);
	if (rc < 0)
		return rc;
	return sbxi_policy_set_level(l->policy, (uint32_t)property, level);
}

static int read_properties(struct sbxi_load *l, const json_t *value,
			   void *into)
{
	(void)into;
	return sbxi_load_members(l, value, property_one);
}

/* The policy itself */

static int read_version(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	if (json_is_integer(value) && json_integer_value(value) == 1)
		return 0;
	return sbxi_fail_remedy(l->fail, SBX_STEP_PARSE, -EINVAL,
				SBXI_REMEDY_VERSION, l->at,
				"has to be the number 1");
}

/* Read before all else, by make_policy(). */
static int skip_profile(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)l;
	(void)value;
	(void)into;
	return 0;
}

static int read_name(struct sbxi_load *l, const json_t *value, void *into)
{
	int rc = sbxi_load_text(l, value, &l->policy->name);
	const char *name = l->policy->name;
	size_t len;

	(void)into;
	if (rc < 0)
		return rc;
	len = strlen(name);
	if (len == 0 || len > NAME_BYTES)
		return sbxi_load_bad(l, "has to have 1 to %d bytes",
				     NAME_BYTES);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			return sbxi_load_bad(l, "has control characters");
	return 0;
}

static int read_network(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_word(l, value, networks, &l->policy->net_mode);
}

static int read_loopback(struct sbxi_load *l, const json_t *value, void *into)
{
	bool on = false;
	int rc = sbxi_load_bool(l, value, &on);

	(void)into;
	if (rc == 0)
		l->policy->loopback = on;
	return rc;
}

static int read_protect(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_word(l, value, protections, &l->policy->protect);
}

static const struct sbxi_key policy_keys[] = {
	{ "version", read_version, true },
	{ "profile", skip_profile, false },
	{ "name", read_name, false },
	{ "files", read_files, false },
	{ "grants", read_grants, false },
	{ "network", read_network, false },
	{ "loopback", read_loopback, false },
	{ "protect", read_protect, false },
	{ "environment", read_environment, false },
	{ "limits", read_limits, false },
	{ "properties", read_properties, false },
	{ "mandate", sbxi_load_mandate, false },
	{ "forbid", sbxi_load_not_yet, false },
	{ NULL, NULL, false },
};

static int make_policy(struct sbxi_load *l, const json_t *root)
{
	const json_t *value = json_object_get(root, "profile");
	uint32_t profile = SBX_PROFILE_EMPTY;
	size_t before = sbxi_load_key(l, "profile");
	int rc = 0;

	if (value)
		rc = read_word(l, value, profiles, later_profiles, &profile);
	sbxi_load_back(l, before);
	if (rc < 0)
		return rc;
	rc = sbxi_policy_new(profile, &l->policy);
	if (rc < 0)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, NULL, NULL);
	return sbxi_load_object(l, root, policy_keys, NULL);
}

/* Before the parser sees the text: its size, its NUL bytes, its depth. */
static int check_text(const char *json, size_t len, struct sbxi_fail *fail)
{
	unsigned int depth = 0;
	bool quoted = false;

	if (len > TEXT_MAX)
		return sbxi_fail(fail, SBX_STEP_PARSE, -E2BIG, NULL,
				 "a policy is over 1 MiB");
	if (memchr(json, '\0', len))
		return sbxi_fail(fail, SBX_STEP_PARSE, -EINVAL, NULL,
				 "a policy has a NUL byte in it");
	for (size_t i = 0; i < len; i++) {
		char c = json[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']') && depth > 0)
			depth--;
		if (depth > DEPTH_MAX)
			return sbxi_fail(fail, SBX_STEP_PARSE, -E2BIG, NULL,
					 "a policy is nested over %d deep",
					 DEPTH_MAX);
	}
	return 0;
}

/* The key that the parser saw twice: it is quoted at the end of its words. */
static void doubled_key(const json_error_t *e, char at[JSON_ERROR_TEXT_LENGTH])
{
	const char *open = strstr(e->text, "near '\"");
	const char *close = strrchr(e->text, '"');

	if (open && close > open + 6)
		snprintf(at, JSON_ERROR_TEXT_LENGTH, "%.*s",
			 (int)(close - open - 7), open + 7);
}

/* What the parser did not like, and where. */
static int bad_json(const json_error_t *e, struct sbxi_fail *fail)
{
	char at[JSON_ERROR_TEXT_LENGTH];

	if (json_error_code(e) == json_error_out_of_memory)
		return sbxi_fail(fail, SBX_STEP_PARSE, -ENOMEM, NULL, NULL);
	snprintf(at, sizeof(at), "line %d, column %d", e->line, e->column);
	if (json_error_code(e) == json_error_duplicate_key)
		doubled_key(e, at);
	return sbxi_fail(fail, SBX_STEP_PARSE, -EINVAL, at,
			 "line %d, column %d: %s", e->line, e->column,
			 e->text);
}

/* The text may be anybody's, and errors end up on terminals. */
static void no_controls(char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)text[0];
		unsigned char next = (unsigned char)text[1];

		if (c < ' ' || c == 0x7f)
			*text = '?';
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			text[0] = text[1] = '?';	/* C1 in UTF-8 */
	}
}

int sbxi_policy_from_json(const char *json, size_t len,
			  const char *const *vars, const char *const *envp,
			  struct sbx_policy **ret_policy,
			  struct sbxi_fail *fail)
{
	struct sbxi_load l = { .vars = vars, .envp = envp, .fail = fail };
	const char *bad = sbxi_list_bad(vars);
	json_error_t error;
	json_t *root = NULL;
	int rc = check_text(json, len, fail);

	if (rc == 0 && bad)
		rc = sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, bad,
			       "a variable is given as NAME=value");
	if (rc == 0) {
		root = json_loadb(json, len, JSON_REJECT_DUPLICATES, &error);
		rc = root ? make_policy(&l, root) : bad_json(&error, fail);
	}
	json_decref(root);
	if (rc < 0) {
		sbxi_policy_free(l.policy);
		no_controls(fail->object);
		no_controls(fail->text);
		return rc;
	}
	*ret_policy = l.policy;
	return 0;
}
