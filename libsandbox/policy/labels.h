/* SPDX-License-Identifier: Apache-2.0 */
/* labels: small sets of short words, as "private-data" or "egress". */
#ifndef SBXI_POLICY_LABELS_H
#define SBXI_POLICY_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/* Zeros are the empty set.  No word is in it twice; words are owned. */
struct sbxi_labels {
	char **word;
	size_t n;
};

#define SBXI_LABELS_MAX 64	/* words of one set */

/* Is this a word that a label may be: [A-Za-z0-9._-]{1,64}? */
bool sbxi_label_ok(const char *word);

/*
 * Add a word, or all words of another set or of a list that ends with NULL
 * (NULL = none).  Returns 0, -EINVAL (no word), -E2BIG (over SBXI_LABELS_MAX)
 * or -ENOMEM; what was added before that stays: a set that grew too much
 * errs towards refusal.
 */
int sbxi_labels_add(struct sbxi_labels *set, const char *word);
int sbxi_labels_join(struct sbxi_labels *set, const struct sbxi_labels *more);
int sbxi_labels_list(struct sbxi_labels *set, const char *const *list);

bool sbxi_labels_has(const struct sbxi_labels *set, const char *word);

/* Is every word of part in set?  The empty set is part of all. */
bool sbxi_labels_cover(const struct sbxi_labels *set,
		       const struct sbxi_labels *part);

/* Is a word in both? */
bool sbxi_labels_meet(const struct sbxi_labels *a,
		      const struct sbxi_labels *b);

void sbxi_labels_done(struct sbxi_labels *set);

#endif
