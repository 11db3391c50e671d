/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_policy: any bytes are a policy or an error, and nothing else.
 *
 * Built with clang's -fsanitize=fuzzer it is a fuzzer; linked with
 * tests/unit/policy/test_corpus.c it goes through the seed corpus.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const vars[] = {
	"workspace=/srv/ws", "data=/srv/data", "input=/srv/in", "n=", NULL
};
static const char *const envp[] = { "LANG=C", "TZ=UTC", NULL };

/* What has to hold for every policy that was accepted. */
static void check(const struct sbx_policy *p)
{
	struct sbxi_budget none = sbxi_budget_none();

	for (size_t i = 0; i < p->n_paths; i++)
		if (p->paths[i].source[0] != '/' || p->paths[i].rights == 0 ||
		    strstr(p->paths[i].source, "/../"))
			abort();
	for (size_t i = 0; i < p->n_grants; i++)
		if (!sbxi_grant_name_ok(p->grants[i].name))
			abort();
	for (size_t i = 0; i < SBXI_N_LIMITS; i++)
		if (p->limit[i] == 0)
			abort();
	for (size_t i = 0; i < SBXI_N_PROPERTIES; i++)
		if (p->level[i] > SBX_REQUIRE)
			abort();
	for (size_t i = 0; i < p->mandate.n_rules; i++)
		if (p->mandate.rules[i].rights == 0 ||
		    p->mandate.rules[i].decision < SBX_DECIDE_GRANT ||
		    p->mandate.rules[i].decision > SBX_DECIDE_DENY ||
		    !sbxi_budget_within(&p->mandate.rules[i].budget, &none))
			abort();
	for (size_t i = 0; i < p->mandate.n_never; i++)
		if (p->mandate.never[i].n < 2)
			abort();
	if (p->purpose && !sbxi_purpose_ok(p->purpose))
		abort();
	if (p->net_mode > SBX_NET_BROKER || p->protect > SBX_PROTECT_OFF ||
	    p->loopback > 1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sbxi_fail fail = { .step = 0 };
	struct sbx_policy *policy = NULL;
	int rc = sbxi_policy_from_json((const char *)data, size, vars, envp,
				       &policy, &fail);

	if (rc == 0 && !policy)
		abort();
	if (rc < 0 && (policy || fail.step == SBX_STEP_NONE ||
		       fail.text[0] == '\0'))
		abort();
	if (policy)
		check(policy);
	sbxi_policy_free(policy);
	return 0;
}
