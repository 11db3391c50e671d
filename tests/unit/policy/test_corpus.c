/* SPDX-License-Identifier: Apache-2.0 */
/* The seed corpus of the policy fuzzer, without a fuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TestSuite(policy_corpus, .timeout = 60);

static const char *const vars[] = {
	"workspace=/srv/ws", "data=/srv/data", "input=/srv/in", "n=", NULL
};

static size_t read_file(const char *folder, const char *name, char **ret)
{
	const char *top = getenv("srcdir");
	size_t room = 4u << 20;
	char path[4096];
	char *buf = malloc(room);
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", top ? top : ".", folder,
		 name);
	f = fopen(path, "rbe");
	cr_assert(f && buf, "%s", path);
	n = fread(buf, 1, room, f);
	fclose(f);
	*ret = buf;
	return n;
}

/* Call visit for each file; how many there were. */
static int each(const char *folder,
		void (*visit)(const char *name, const char *buf, size_t len))
{
	const char *top = getenv("srcdir");
	char path[4096];
	struct dirent *e;
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", top ? top : ".", folder);
	dir = opendir(path);
	cr_assert_not_null(dir, "%s", path);
	while ((e = readdir(dir))) {
		char *buf = NULL;
		size_t len;

		if (e->d_name[0] == '.')
			continue;
		len = read_file(folder, e->d_name, &buf);
		visit(e->d_name, buf, len);
		free(buf);
		n++;
	}
	closedir(dir);
	return n;
}

/* Files named good-* load, bad-* do not. */
static void visit_seed(const char *name, const char *buf, size_t len)
{
	struct sbxi_fail fail = { .step = 0 };
	struct sbx_policy *policy = NULL;
	int rc;

	LLVMFuzzerTestOneInput((const uint8_t *)buf, len);
	rc = sbxi_policy_from_json(buf, len, vars, NULL, &policy, &fail);
	if (strncmp(name, "good-", 5) == 0)
		cr_expect_eq(rc, 0, "%s: %s: %s", name, fail.object,
			     fail.text);
	else
		cr_expect_lt(rc, 0, "%s", name);
	sbxi_policy_free(policy);
}

static void visit_example(const char *name, const char *buf, size_t len)
{
	struct sbxi_fail fail = { .step = 0 };
	struct sbx_policy *policy = NULL;

	cr_expect_eq(sbxi_policy_from_json(buf, len, vars, NULL, &policy,
					   &fail), 0, "%s: %s: %s", name,
		     fail.object, fail.text);
	sbxi_policy_free(policy);
}

Test(policy_corpus, every_seed_does_what_its_name_says)
{
	cr_expect_geq(each("tests/fuzz/corpus/policy", visit_seed), 12);
}

Test(policy_corpus, every_example_policy_loads)
{
	cr_expect_geq(each("examples/policies", visit_example), 3);
}

/* Every seed, cut at every length and with each byte turned over. */
static void visit_mangled(const char *name, const char *buf, size_t len)
{
	char *copy;

	(void)name;
	if (len > 1024)
		return;
	copy = malloc(len + 1);
	cr_assert_not_null(copy);
	for (size_t i = 0; i < len; i++) {
		LLVMFuzzerTestOneInput((const uint8_t *)buf, i);
		memcpy(copy, buf, len);
		copy[i] ^= (char)(1u << i % 8);
		LLVMFuzzerTestOneInput((const uint8_t *)copy, len);
	}
	free(copy);
}

Test(policy_corpus, mangled_seeds_are_policies_or_errors)
{
	cr_expect_geq(each("tests/fuzz/corpus/policy", visit_mangled), 12);
}
