/* SPDX-License-Identifier: Apache-2.0 */
/* The seed corpus of the wire fuzzer, without a fuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/wire.h"
#include "base/wire_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TestSuite(wire_corpus, .timeout = 60);

static uint8_t seed[SBX_WIRE_DATAGRAM + 64];

static size_t read_seed(const char *folder, const char *name)
{
	char path[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rbe");
	cr_assert_not_null(f, "%s", path);
	n = fread(seed, 1, sizeof(seed), f);
	fclose(f);
	return n;
}

/* Call visit for each file; how many there were. */
static int each(void (*visit)(const char *name, size_t len))
{
	const char *top = getenv("srcdir");
	char folder[2048];
	struct dirent *e;
	int n = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/wire",
		 top ? top : ".");
	dir = opendir(folder);
	cr_assert_not_null(dir, "%s", folder);
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		visit(e->d_name, read_seed(folder, e->d_name));
		n++;
	}
	closedir(dir);
	return n;
}

/* Files named good-* are messages, bad-* are none. */
static void visit_seed(const char *name, size_t len)
{
	size_t n_fds = len >= SBX_WIRE_HEADER ? sbxi_get32(seed + 20) : 0;
	struct sbxi_wire_head head;
	struct sbxi_wire_tags body;
	int rc = sbxi_wire_read(seed, len, n_fds, &head, &body);

	LLVMFuzzerTestOneInput(seed, len);
	if (strncmp(name, "good-", 5) == 0)
		cr_expect_eq(rc, 0, "%s: %d", name, rc);
	else
		cr_expect_lt(rc, 0, "%s", name);
}

Test(wire_corpus, every_seed_does_what_its_name_says)
{
	cr_expect_geq(each(visit_seed), 30);
}

/* Every seed, cut at every length and with each bit turned over. */
static void visit_mangled(const char *name, size_t len)
{
	(void)name;
	if (len > 1024)
		return;
	for (size_t i = 0; i < len; i++) {
		LLVMFuzzerTestOneInput(seed, i);
		for (int bit = 0; bit < 8; bit++) {
			seed[i] ^= (uint8_t)(1u << bit);
			LLVMFuzzerTestOneInput(seed, len);
			seed[i] ^= (uint8_t)(1u << bit);
		}
	}
}

Test(wire_corpus, mangled_seeds_are_messages_or_errors)
{
	cr_expect_geq(each(visit_mangled), 30);
}
