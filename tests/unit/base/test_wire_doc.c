/* SPDX-License-Identifier: Apache-2.0 */
/* wire_doc: the examples of docs/wire.md are what the encoder writes. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/wire.h"

TestSuite(wire_doc, .timeout = 10);

#define CRITICAL SBX_TAG_CRITICAL

static uint8_t buf[SBX_WIRE_DATAGRAM];
static struct sbxi_wire_out out;
static uint32_t n_fds;

static void begin(uint16_t type, uint64_t id, uint16_t flags, uint32_t fds,
		  int32_t status)
{
	const struct sbxi_wire_head h = { .type = type, .id = id,
					  .flags = flags, .n_fds = fds,
					  .status = status };

	n_fds = fds;
	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
}

static void text(uint16_t tag, const char *value)
{
	sbxi_wire_put_text(&out, tag, value);
}

static void u32(uint16_t tag, uint32_t value)
{
	sbxi_wire_put_u32(&out, tag, value);
}

static void u64(uint16_t tag, uint64_t value)
{
	sbxi_wire_put_u64(&out, tag, value);
}

static void attach(void)
{
	begin(SBX_MSG_ATTACH, 1, SBX_WIRE_EVENTS, 1, 0);
}

static void attached(void)
{
	begin(SBX_MSG_REPLY, 1, 0, 0, 0);
}

static void request(void)
{
	begin(SBX_MSG_REQUEST, 2, 0, 0, 0);
	u32(SBX_TAG_KIND, SBX_ASK_CONNECT);
	text(SBX_TAG_TARGET, "tcp:example.org:443");
	text(SBX_TAG_REASON, "read one issue");
	u64(SBX_TAG_MAX_BYTES_OUT | CRITICAL, 4096);
}

static void granted(void)
{
	size_t mark;

	begin(SBX_MSG_REPLY, 2, SBX_WIRE_NARROWED, 1, 0);
	mark = sbxi_wire_open(&out, SBX_TAG_GRANT);
	text(SBX_TAG_NAME, "c1");
	u32(SBX_TAG_KIND, SBX_ASK_CONNECT);
	text(SBX_TAG_TARGET, "tcp:example.org:443");
	u32(SBX_TAG_RIGHTS, SBX_READ | SBX_WRITE);
	u32(SBX_TAG_GRANT_FLAGS, SBX_HELD_RECALLABLE);
	u64(SBX_TAG_MAX_BYTES_OUT, 1024);
	text(SBX_TAG_LABEL, "egress");
	sbxi_wire_close(&out, mark);
}

static void refused(void)
{
	begin(SBX_MSG_REPLY, 2, 0, 0, -EACCES);
	text(SBX_TAG_TEXT, "no rule allows it");
}

static void cancel(void)
{
	begin(SBX_MSG_CANCEL, 3, 0, 0, 0);
	u64(SBX_TAG_ID, 2);
}

static void list(void)
{
	begin(SBX_MSG_LIST, 4, 0, 0, 0);
}

static void list_more(void)
{
	size_t mark;

	begin(SBX_MSG_REPLY, 4, SBX_WIRE_MORE, 0, 0);
	mark = sbxi_wire_open(&out, SBX_TAG_GRANT);
	text(SBX_TAG_NAME, "api");
	u32(SBX_TAG_KIND, SBX_ASK_CONNECT);
	u32(SBX_TAG_GRANT_FLAGS, SBX_HELD_AT_START);
	sbxi_wire_close(&out, mark);
}

static void narrow(void)
{
	begin(SBX_MSG_NARROW, 5, 0, 0, 0);
	text(SBX_TAG_NAME, "c1");
	u64(SBX_TAG_MAX_BYTES_OUT | CRITICAL, 512);
}

static void release(void)
{
	begin(SBX_MSG_RELEASE, 6, 0, 0, 0);
	text(SBX_TAG_NAME, "c1");
}

static void delegate(void)
{
	size_t mark;

	begin(SBX_MSG_DELEGATE, 7, 0, 2, 0);
	text(SBX_TAG_ARG, "/bin/wc");
	text(SBX_TAG_ARG, "-l");
	text(SBX_TAG_ENV, "LANG=C");
	text(SBX_TAG_CWD, "/");
	u32(SBX_TAG_STDIO, 1u << 1 | 1u << 2);
	mark = sbxi_wire_open(&out, SBX_TAG_SHARE);
	text(SBX_TAG_NAME, "c1");
	u64(SBX_TAG_MAX_USES | CRITICAL, 1);
	sbxi_wire_close(&out, mark);
}

static void started(void)
{
	begin(SBX_MSG_REPLY, 7, 0, 0, 0);
	u64(SBX_TAG_TASK, 12);
}

static void exited(void)
{
	begin(SBX_MSG_EVENT, 7, 0, 0, 0);
	u32(SBX_TAG_EVENT, SBX_EVENT_EXIT);
	u64(SBX_TAG_TASK, 12);
	u32(SBX_TAG_EXIT_KIND, 1);
	u32(SBX_TAG_EXIT_CODE, 0);
}

static void log_line(void)
{
	begin(SBX_MSG_LOG, 8, 0, 0, 0);
	text(SBX_TAG_TEXT, "built 3 files");
}

static void ready(void)
{
	begin(SBX_MSG_READY, 9, 0, 0, 0);
}

static void budget(void)
{
	begin(SBX_MSG_EVENT, 0, 0, 0, 0);
	u32(SBX_TAG_EVENT, SBX_EVENT_BUDGET);
	text(SBX_TAG_NAME, "c1");
}

static const struct {
	const char *name;
	void (*write)(void);
} examples[] = {
	{ "attach", attach },	  { "attached", attached },
	{ "request", request },	  { "granted", granted },
	{ "refused", refused },	  { "cancel", cancel },
	{ "list", list },	  { "list-more", list_more },
	{ "narrow", narrow },	  { "release", release },
	{ "delegate", delegate }, { "started", started },
	{ "exit", exited },	  { "log", log_line },
	{ "ready", ready },	  { "budget", budget },
};
#define N_EXAMPLES (sizeof(examples) / sizeof(*examples))

static char page[65536];

static void read_page(void)
{
	const char *top = getenv("srcdir");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/docs/wire.md", top ? top : ".");
	f = fopen(path, "rbe");
	cr_assert_not_null(f, "%s", path);
	cr_assert_lt(fread(page, 1, sizeof(page), f), sizeof(page));
	fclose(f);
}

/* The bytes of "```hex NAME", whose lines may end in a comment. */
static size_t bytes_of(const char *name, uint8_t *ret, size_t size)
{
	char fence[64];
	const char *at;
	size_t n = 0;

	snprintf(fence, sizeof(fence), "\n```hex %s\n", name);
	at = strstr(page, fence);
	cr_assert_not_null(at, "no example '%s'", name);
	at += strlen(fence);
	while (strncmp(at, "```", 3) != 0) {
		unsigned int byte;

		if (*at == '#') {
			at += strcspn(at, "\n");
		} else if (isspace((unsigned char)*at)) {
			at++;
		} else {
			cr_assert_eq(sscanf(at, "%2x", &byte), 1, "%s: %.20s",
				     name, at);
			cr_assert_lt(n, size);
			ret[n++] = (uint8_t)byte;
			at += 2;
		}
	}
	return n;
}

Test(wire_doc, every_example_is_what_the_encoder_writes)
{
	struct sbxi_wire_head head;
	struct sbxi_wire_tags body;
	uint8_t want[1024];

	read_page();
	for (size_t i = 0; i < N_EXAMPLES; i++) {
		size_t n = bytes_of(examples[i].name, want, sizeof(want));

		examples[i].write();
		cr_assert_gt(sbxi_wire_finish(&out), 0);
		cr_expect_eq(n, out.len, "%s: %zu bytes, not %zu",
			     examples[i].name, n, out.len);
		for (size_t k = 0; k < n && k < out.len; k++)
			cr_expect_eq(want[k], buf[k], "%s: byte %zu",
				     examples[i].name, k);
		cr_expect_eq(sbxi_wire_read(buf, out.len, n_fds, &head, &body),
			     0, "%s", examples[i].name);
	}
}

Test(wire_doc, the_page_has_no_other_example)
{
	size_t n = 0;

	read_page();
	for (const char *at = page; (at = strstr(at, "```hex ")); at++)
		n++;
	cr_expect_eq(n, N_EXAMPLES);
}
