/* SPDX-License-Identifier: Apache-2.0 */
/* target: the process that waits for a hand-off and becomes the task. */
#ifndef SBXI_INIT_TARGET_H
#define SBXI_INIT_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "init/place.h"
#include "kernel/handoff.h"

struct sbxi_jail;

/* What the hand-off brought. */
struct sbxi_hand {
	uint32_t flags;			/* SBXI_HAND_... */
	const struct sbxi_payload *payload;
	struct sbxi_place place[SBXI_PLACES_MAX];
	size_t n;
};

/* Receive the hand-off, however many messages it takes. */
void sbxi_hand_receive(struct sbxi_jail *jail, struct sbxi_hand *ret);

/* argv and the environment as execve(2) wants them. */
char **sbxi_payload_argv(struct sbxi_jail *jail,
			 const struct sbxi_payload *payload);
char **sbxi_payload_environ(struct sbxi_jail *jail,
			    const struct sbxi_payload *payload);
/* The value of a variable, or NULL. */
const char *sbxi_environ_get(char *const *envp, const char *name);

/* Become the task.  Returns only to say why not, through sbxi_die(). */
_Noreturn void sbxi_exec(struct sbxi_jail *jail, char *const *argv,
			 char *const *envp);

/* Try what must be refused; before and after the filter is loaded. */
void sbxi_canaries_files(struct sbxi_jail *jail);
void sbxi_canaries_filter(struct sbxi_jail *jail);

/* The rows, from the facts; then dies if a required one does not hold. */
void sbxi_rows_fill(const struct sbxi_jail *jail, struct sbxi_msg_report *ret);
void sbxi_rows_insist(struct sbxi_jail *jail,
		      const struct sbxi_msg_report *report);

#endif
