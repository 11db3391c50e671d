/* SPDX-License-Identifier: Apache-2.0 */
/* match: which targets lie in which. */
#ifndef SBXI_POLICY_MATCH_H
#define SBXI_POLICY_MATCH_H

#include <stdbool.h>

#include "policy/scope.h"

/*
 * Is all that b stands for in a?  Kinds are the caller's business.  A name
 * and an address have nothing in common here but "localhost", which is
 * 127.0.0.1 and ::1.
 */
bool sbxi_match_covers(const struct sbxi_scope *a,
		       const struct sbxi_scope *b);

/* Is there something that both stand for? */
bool sbxi_match_meets(const struct sbxi_scope *a,
		      const struct sbxi_scope *b);

/*
 * The same for rules that give: what is private, loopback, link-local,
 * metadata, multicast or reserved is meant only by a rule for "localhost", or
 * by one whose range lies wholly in that block.  "0.0.0.0/0" and "*" are the
 * public ones; rules that deny deny all.
 */
bool sbxi_match_names(const struct sbxi_scope *a,
		      const struct sbxi_scope *b);
bool sbxi_match_both_name(const struct sbxi_scope *a,
			  const struct sbxi_scope *b);

/* Is one about names of hosts, the other about addresses, at one port? */
bool sbxi_match_may_resolve(const struct sbxi_scope *a,
			    const struct sbxi_scope *b);

#endif
