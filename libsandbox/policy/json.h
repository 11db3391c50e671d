/* SPDX-License-Identifier: Apache-2.0 */
/* json: reading a policy file: where we are, and values of each kind. */
#ifndef SBXI_POLICY_JSON_H
#define SBXI_POLICY_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "policy/policy.h"

/* What is being read, and for whom. */
struct sbxi_load {
	struct sbx_policy *policy;
	const char *const *vars, *const *envp;
	struct sbxi_fail *fail;
	char at[256];		/* "files[0].rights" */
	size_t at_len;
};

/* A key of an object; read stores the value, in `into` or in the policy. */
struct sbxi_key {
	const char *name;
	int (*read)(struct sbxi_load *l, const json_t *value, void *into);
	bool needed;
};

/* Add ".key" or "[index]" to l->at; the result is for sbxi_load_back(). */
size_t sbxi_load_key(struct sbxi_load *l, const char *key);
size_t sbxi_load_index(struct sbxi_load *l, size_t index);
void sbxi_load_back(struct sbxi_load *l, size_t before);

/* Note -EINVAL at the place where we are. */
__attribute__((format(printf, 2, 3)))
int sbxi_load_bad(struct sbxi_load *l, const char *fmt, ...);

/*
 * An object by its table, which ends with a NULL name: first every key has to
 * be in the table, then they are read in the order of the table.
 */
int sbxi_load_object(struct sbxi_load *l, const json_t *value,
		     const struct sbxi_key *keys, void *into);

/* Call read for each member of an object whose keys are free. */
int sbxi_load_members(struct sbxi_load *l, const json_t *value,
		      int (*read)(struct sbxi_load *l, const char *name,
				  const json_t *member));

/* Call read for each element of an array. */
int sbxi_load_array(struct sbxi_load *l, const json_t *value,
		    int (*read)(struct sbxi_load *l, const json_t *element));

/* A text with its variables replaced, malloc'd. */
int sbxi_load_text(struct sbxi_load *l, const json_t *value, char **ret);
int sbxi_load_bool(struct sbxi_load *l, const json_t *value, bool *ret);

/* One of a list of words, as its index; the list ends with NULL. */
int sbxi_load_word(struct sbxi_load *l, const json_t *value,
		   const char *const *words, uint32_t *ret);

/* Rights, each letter of `letters` ("rwx") at most once, at least one. */
int sbxi_load_rights(struct sbxi_load *l, const json_t *value,
		     const char *letters, uint32_t *ret);

/* A whole number over 0. */
int sbxi_load_count(struct sbxi_load *l, const json_t *value, uint64_t *ret);

/* What a builder refused is about the key at hand; keep its words. */
int sbxi_load_refused(struct sbxi_load *l, int rc, const char *key);

/* policy/json_mandate.c: "mandate", "budget" and lists of labels. */
int sbxi_load_mandate(struct sbxi_load *l, const json_t *value, void *into);
int sbxi_load_budget(struct sbxi_load *l, const json_t *value,
		     struct sbxi_budget *ret);
int sbxi_load_labels(struct sbxi_load *l, const json_t *value,
		     struct sbxi_labels *ret);

/* For keys that a later version enforces: -EOPNOTSUPP, named. */
int sbxi_load_not_yet(struct sbxi_load *l, const json_t *value, void *into);

#endif
