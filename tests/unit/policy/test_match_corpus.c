/* SPDX-License-Identifier: Apache-2.0 */
/* The seed corpus of the fuzzer of matches, without a fuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TestSuite(match_corpus, .timeout = 60);

static size_t read_seed(const char *folder, const char *name, uint8_t *buf,
			size_t room)
{
	char path[8192];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rbe");
	cr_assert_not_null(f, "%s", path);
	n = fread(buf, 1, room, f);
	fclose(f);
	return n;
}

/* As it is, cut at every length, and with each bit turned over. */
static void mangle(uint8_t *buf, size_t n)
{
	for (size_t i = 0; i <= n; i++)
		LLVMFuzzerTestOneInput(buf, i);
	for (size_t i = 0; i < n * 8; i++) {
		buf[i / 8] ^= (uint8_t)(1u << i % 8);
		LLVMFuzzerTestOneInput(buf, n);
		buf[i / 8] ^= (uint8_t)(1u << i % 8);
	}
}

/* A wrong answer aborts, which is this test's failure. */
Test(match_corpus, every_seed_is_understood_in_one_way)
{
	const char *top = getenv("srcdir");
	char folder[4096];
	struct dirent *e;
	int seeds = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/match",
		 top ? top : ".");
	dir = opendir(folder);
	cr_assert_not_null(dir, "%s", folder);
	while ((e = readdir(dir))) {
		uint8_t buf[4096];
		size_t n;

		if (e->d_name[0] == '.')
			continue;
		n = read_seed(folder, e->d_name, buf, sizeof(buf));
		cr_expect_gt(n, 0, "%s", e->d_name);
		mangle(buf, n);
		seeds++;
	}
	closedir(dir);
	cr_expect_geq(seeds, 11);
}
