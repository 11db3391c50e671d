/* SPDX-License-Identifier: Apache-2.0 */
/* labels: small sets of short words. */
#include "policy/labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

bool sbxi_label_ok(const char *word)
{
	return sbxi_grant_name_ok(word);
}

bool sbxi_labels_has(const struct sbxi_labels *set, const char *word)
{
	for (size_t i = 0; i < set->n; i++)
		if (strcmp(set->word[i], word) == 0)
			return true;
	return false;
}

int sbxi_labels_add(struct sbxi_labels *set, const char *word)
{
	char **more;
	char *copy;

	if (!sbxi_label_ok(word))
		return -EINVAL;
	if (sbxi_labels_has(set, word))
		return 0;
	if (set->n == SBXI_LABELS_MAX)
		return -E2BIG;
	copy = strdup(word);
	more = reallocarray(set->word, set->n + 1, sizeof(*more));
	if (more)
		set->word = more;
	if (!more || !copy) {
		free(copy);
		return -ENOMEM;
	}
	set->word[set->n++] = copy;
	return 0;
}

int sbxi_labels_join(struct sbxi_labels *set, const struct sbxi_labels *more)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < more->n; i++)
		rc = sbxi_labels_add(set, more->word[i]);
	return rc;
}

int sbxi_labels_list(struct sbxi_labels *set, const char *const *list)
{
	int rc = 0;

	for (; rc == 0 && list && *list; list++)
		rc = sbxi_labels_add(set, *list);
	return rc;
}

bool sbxi_labels_cover(const struct sbxi_labels *set,
		       const struct sbxi_labels *part)
{
	for (size_t i = 0; i < part->n; i++)
		if (!sbxi_labels_has(set, part->word[i]))
			return false;
	return true;
}

bool sbxi_labels_meet(const struct sbxi_labels *a, const struct sbxi_labels *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (sbxi_labels_has(b, a->word[i]))
			return true;
	return false;
}

void sbxi_labels_done(struct sbxi_labels *set)
{
	while (set->n > 0)
		free(set->word[--set->n]);
	free(set->word);
	set->word = NULL;
}
