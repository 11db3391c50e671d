/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_wire: any bytes are a message or an error, and nothing else.
 *
 * Built with clang's -fsanitize=fuzzer it is a fuzzer; linked with
 * tests/unit/client/test_wire_corpus.c it goes through the seed corpus.  As
 * many descriptors come along as the header says: counting is not parsing.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/wire.h"
#include "base/wire_bytes.h"
#include "client/client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct sbxi_wire_msg m;
static uint8_t again[SBX_WIRE_DATAGRAM];

/* What was read and is written again is the same, but for the reserved. */
static void write_again(const uint8_t *data, size_t size)
{
	struct sbxi_wire_tags body = m.body;
	struct sbxi_wire_out out;
	struct sbxi_wire_tag t;

	sbxi_wire_begin(&out, again, sizeof(again), &m.head);
	while (sbxi_wire_next(&body, &t))
		sbxi_wire_put(&out, (uint16_t)(t.tag | (t.critical ?
						SBX_TAG_CRITICAL : 0)),
			      t.value, t.len);
	if (sbxi_wire_finish(&out) != (int)size ||
	    memcmp(again, data, size) != 0)
		abort();
}

static void check_answer(void)
{
	struct sbx_answer a;

	if (sbxi_client_answer(&m, &a) < 0)
		return;
	if (a.fd != -1 || a.status > 0 || a.id != m.head.id ||
	    strlen(a.text) > SBX_WIRE_TEXT ||
	    strlen(a.grant.target) > SBX_WIRE_TARGET ||
	    strlen(a.grant.labels) > SBX_WIRE_LABELS * (SBX_WIRE_NAME + 1))
		abort();
	if (a.grant.name[0] &&
	    !sbxi_wire_name_ok(a.grant.name, strlen(a.grant.name)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n_fds = size >= SBX_WIRE_HEADER ? sbxi_get32(data + 20) : 0;
	/* Of its very size, so that one byte too far is seen. */
	uint8_t *copy = malloc(size ? size : 1);
	int rc;

	if (!copy)
		return 0;
	if (size > 0)
		memcpy(copy, data, size);
	m.head = (struct sbxi_wire_head){ .id = 0 };
	rc = sbxi_wire_read(copy, size, n_fds, &m.head, &m.body);
	if (rc != 0 && rc != -EPROTO && rc != -EOPNOTSUPP &&
	    rc != -EPROTONOSUPPORT)
		abort();
	if (rc == 0) {
		m.n_fds = 0;
		write_again(copy, size);
		check_answer();
	}
	free(copy);
	return 0;
}
