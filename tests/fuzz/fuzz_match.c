/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_match: a digit for the kind, a rule's match, a newline, a request's
 * target: any bytes are understood in one way, or not at all.
 *
 * Built with clang's -fsanitize=fuzzer it is a fuzzer; linked with
 * tests/unit/policy/test_match_corpus.c it goes through the seed corpus.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* No byte of what is shown to people is a control or over ASCII. */
static void check_text(const char *text)
{
	for (; *text; text++)
		must(*text >= ' ' && *text < 0x7f);
}

/* What is printed is the same when it is read again. */
static void check_one(const struct sbxi_scope *s, const char *text,
		      bool pattern)
{
	struct sbxi_scope again = { .kind = 0 };
	char shown[8192];
	const char *why;
	int rc;

	sbxi_scope_print(s, shown, sizeof(shown));
	check_text(shown);
	must(sbxi_match_covers(s, s) && sbxi_match_names(s, s));
	/* Bytes of paths that cannot be shown are another path, shown. */
	for (const char *c = text; *c; c++)
		if (*c < ' ' || *c >= 0x7f)
			return;
	rc = sbxi_scope_parse(s->kind, shown, pattern, &again, &why);
	must(rc == 0);
	must(sbxi_match_covers(s, &again) && sbxi_match_covers(&again, s));
	sbxi_scope_done(&again);
}

static void check_pair(const struct sbxi_scope *rule,
		       const struct sbxi_scope *request)
{
	bool covers = sbxi_match_covers(rule, request);

	must(!sbxi_match_names(rule, request) || covers);
	must(!covers || sbxi_match_meets(rule, request));
	must(sbxi_match_meets(rule, request) ==
	     sbxi_match_meets(request, rule));
	must(sbxi_match_both_name(rule, request) ==
	     sbxi_match_both_name(request, rule));
	must(!sbxi_match_names(rule, request) ||
	     sbxi_match_both_name(rule, request));
	/* Nothing special is meant by a rule for all that is public. */
	if (rule->form == SBXI_SCOPE_ANY_HOST && covers &&
	    request->form == SBXI_SCOPE_RANGE)
		must(sbxi_match_names(rule, request) ==
		     (sbxi_address_class(&request->range.from) ==
		      SBXI_ADDRESS_PUBLIC));
}

static void check(uint32_t kind, const char *rule, const char *request)
{
	struct sbxi_scope a = { .kind = 0 }, b = { .kind = 0 };
	const char *why = NULL;
	int x = sbxi_scope_parse(kind, rule, true, &a, &why);
	int y = sbxi_scope_parse(kind, request, false, &b, &why);

	must((x == 0 && y == 0) || (why && why[0]));
	if (x == 0)
		check_one(&a, rule, true);
	if (y == 0)
		check_one(&b, request, false);
	if (x == 0 && y == 0)
		check_pair(&a, &b);
	sbxi_scope_done(&a);
	sbxi_scope_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char *line;

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	line = strchr(text, '\n');
	if (line && line > text) {
		*line = '\0';
		check((uint32_t)(text[0] - '0'), text + 1, line + 1);
	}
	free(text);
	return 0;
}
