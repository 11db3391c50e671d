/* SPDX-License-Identifier: Apache-2.0 */
/* wire: every rule of docs/wire.md, with the message that breaks it. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/wire.h"
#include "base/wire_bytes.h"

TestSuite(wire, .timeout = 10);

static uint8_t buf[SBX_WIRE_DATAGRAM + 64];
static struct sbxi_wire_out out;
static struct sbxi_wire_head head;
static struct sbxi_wire_tags body;

static void begin(uint16_t type)
{
	const struct sbxi_wire_head h = { .type = type, .id = 7 };

	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
}

static int read_with(size_t n_fds)
{
	int len = sbxi_wire_finish(&out);

	cr_assert_gt(len, 0);
	sbxi_set(buf + 20, n_fds, 4);
	return sbxi_wire_read(buf, (size_t)len, n_fds, &head, &body);
}

/* A good message; the tests break one thing of it. */
static void request(void)
{
	begin(SBX_MSG_REQUEST);
	sbxi_wire_put_u32(&out, SBX_TAG_KIND, SBX_ASK_CONNECT);
	sbxi_wire_put_text(&out, SBX_TAG_TARGET, "tcp:example.org:443");
	sbxi_wire_put_u64(&out, SBX_TAG_MAX_BYTES_OUT | SBX_TAG_CRITICAL,
			  1000);
}

static int read_changed(size_t at, uint64_t value, unsigned int bytes)
{
	request();
	cr_assert_gt(sbxi_wire_finish(&out), 0);
	sbxi_set(buf + at, value, bytes);
	return sbxi_wire_read(buf, out.len, 0, &head, &body);
}

Test(wire, what_is_written_is_read)
{
	char text[64];

	request();
	cr_expect_eq(read_with(0), 0);
	cr_expect_eq(head.version, SBX_WIRE_VERSION);
	cr_expect_eq(head.type, SBX_MSG_REQUEST);
	cr_expect_eq(head.flags, 0);
	cr_expect_eq(head.id, 7);
	cr_expect_eq(head.status, 0);
	cr_expect_eq(head.n_fds, 0);
	cr_expect_eq(sbxi_wire_u32(body, SBX_TAG_KIND, 0), SBX_ASK_CONNECT);
	cr_expect_eq(sbxi_wire_u64(body, SBX_TAG_MAX_BYTES_OUT, 0), 1000);
	sbxi_wire_text(body, SBX_TAG_TARGET, text, sizeof(text));
	cr_expect_str_eq(text, "tcp:example.org:443");
	cr_expect_eq(sbxi_wire_u32(body, SBX_TAG_RIGHTS, 4711), 4711);
	cr_expect_eq(sbxi_wire_u64(body, SBX_TAG_MAX_USES, 4711), 4711);
	sbxi_wire_text(body, SBX_TAG_REASON, text, sizeof(text));
	cr_expect_str_eq(text, "");
	sbxi_wire_text(body, SBX_TAG_TARGET, text, 4);
	cr_expect_str_eq(text, "tcp");
}

Test(wire, every_length_below_that_of_the_message_is_a_protocol_error)
{
	request();
	cr_assert_eq(read_with(0), 0);
	for (size_t len = 0; len < out.len; len++)
		cr_expect_eq(sbxi_wire_read(buf, len, 0, &head, &body),
			     -EPROTO, "%zu", len);
	cr_expect_eq(sbxi_wire_read(buf, out.len + 1, 0, &head, &body),
		     -EPROTO);
}

Test(wire, the_longest_message_is_read_and_a_longer_one_is_not_written)
{
	static const char arg[SBX_WIRE_DATAGRAM];
	static char all[SBX_WIRE_DATAGRAM];

	memset(all, 'a', sizeof(all));
	begin(SBX_MSG_DELEGATE);
	sbxi_wire_put(&out, SBX_TAG_ARG, all,
		      SBX_WIRE_DATAGRAM - SBX_WIRE_HEADER - 4);
	cr_expect_eq(read_with(0), 0);
	cr_expect_eq(out.len, SBX_WIRE_DATAGRAM);
	begin(SBX_MSG_DELEGATE);
	sbxi_wire_put(&out, SBX_TAG_ARG, all,
		      SBX_WIRE_DATAGRAM - SBX_WIRE_HEADER - 3);
	cr_expect_eq(sbxi_wire_finish(&out), -EMSGSIZE);
	begin(SBX_MSG_DELEGATE);
	sbxi_wire_put(&out, SBX_TAG_ARG, arg, SIZE_MAX);
	cr_expect_eq(sbxi_wire_finish(&out), -EMSGSIZE);
	/* What is full stays so, whatever fits behind. */
	sbxi_wire_put_u32(&out, SBX_TAG_STDIO, 1);
	cr_expect_eq(sbxi_wire_finish(&out), -EMSGSIZE);
	sbxi_wire_begin(&out, buf, SBX_WIRE_HEADER - 1, &head);
	cr_expect_eq(sbxi_wire_finish(&out), -EMSGSIZE);
}

Test(wire, a_wrong_magic_is_a_protocol_error)
{
	for (size_t i = 0; i < 3; i++)
		cr_expect_eq(read_changed(i, 0xff, 1), -EPROTO, "%zu", i);
	cr_expect_eq(read_changed(0, 'S', 1), 0);
}

Test(wire, another_version_is_named_with_the_id_to_answer_to)
{
	cr_expect_eq(read_changed(3, 2, 1), -EPROTONOSUPPORT);
	cr_expect_eq(head.version, 2);
	cr_expect_eq(head.id, 7);
	cr_expect_eq(read_changed(3, 0, 1), -EPROTONOSUPPORT);
}

Test(wire, a_body_length_beside_the_truth_is_a_protocol_error)
{
	request();
	for (int off = -3; off <= 3; off++)
		cr_expect_eq(read_changed(16, out.len - SBX_WIRE_HEADER +
					  (size_t)(int64_t)off, 4),
			     off == 0 ? 0 : -EPROTO, "%d", off);
	cr_expect_eq(read_changed(16, UINT32_MAX, 4), -EPROTO);
	cr_expect_eq(read_changed(16, 0, 4), -EPROTO);
}

Test(wire, a_descriptor_count_beside_the_truth_is_a_protocol_error)
{
	cr_expect_eq(read_changed(20, 0, 4), 0);
	cr_expect_eq(read_changed(20, 1, 4), -EPROTO);
	cr_expect_eq(read_changed(20, UINT32_MAX, 4), -EPROTO);
}

Test(wire, reserved_bytes_and_a_status_of_the_task_are_protocol_errors)
{
	cr_expect_eq(read_changed(28, 1, 4), -EPROTO);
	cr_expect_eq(read_changed(24, 1, 4), -EPROTO);
	cr_expect_eq(read_changed(24, (uint32_t)-EACCES, 4), -EPROTO);
}

Test(wire, id_zero_is_for_events)
{
	cr_expect_eq(read_changed(8, 0, 8), -EPROTO);
	cr_expect_eq(read_changed(8, UINT64_MAX, 8), 0);
	begin(SBX_MSG_EVENT);
	cr_assert_gt(sbxi_wire_finish(&out), 0);
	sbxi_set(buf + 8, 0, 8);
	cr_expect_eq(sbxi_wire_read(buf, out.len, 0, &head, &body), 0);
}

Test(wire, unknown_types_and_flags_are_refused_with_the_id)
{
	cr_expect_eq(read_changed(4, 0, 2), -EOPNOTSUPP);
	cr_expect_eq(head.id, 7);
	cr_expect_eq(read_changed(4, 10, 2), -EOPNOTSUPP);
	cr_expect_eq(read_changed(4, 63, 2), -EOPNOTSUPP);
	cr_expect_eq(read_changed(4, UINT16_MAX, 2), -EOPNOTSUPP);
	head.id = 0;
	cr_expect_eq(read_changed(6, SBX_WIRE_EVENTS, 2), -EOPNOTSUPP);
	cr_expect_eq(head.id, 7);
	cr_expect_eq(read_changed(6, 0x8000, 2), -EOPNOTSUPP);
}

/* Each type takes from..to descriptors, and no other number. */
Test(wire, descriptors_come_with_those_messages_alone_that_take_them)
{
	static const struct {
		uint16_t type;
		size_t from, to;
	} takes[] = {
		{ SBX_MSG_ATTACH, 1, 1 }, { SBX_MSG_REQUEST, 0, 0 },
		{ SBX_MSG_CANCEL, 0, 0 }, { SBX_MSG_LIST, 0, 0 },
		{ SBX_MSG_NARROW, 0, 0 }, { SBX_MSG_RELEASE, 0, 0 },
		{ SBX_MSG_DELEGATE, 0, 3 }, { SBX_MSG_LOG, 0, 0 },
		{ SBX_MSG_READY, 0, 0 }, { SBX_MSG_REPLY, 0, 1 },
		{ SBX_MSG_EVENT, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(takes) / sizeof(*takes); i++) {
		for (size_t n = 0; n <= 17; n++) {
			begin(takes[i].type);
			cr_expect_eq(read_with(n), n >= takes[i].from &&
				     n <= takes[i].to ? 0 : -EPROTO,
				     "type %u with %zu", takes[i].type, n);
		}
	}
}

static int read_reply(int32_t status, uint16_t flags, size_t n_fds)
{
	const struct sbxi_wire_head h = {
		.type = SBX_MSG_REPLY,
		.id = 1,
		.status = status,
		.flags = flags,
	};

	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
	return read_with(n_fds);
}

Test(wire, a_failed_reply_carries_nothing)
{
	cr_expect_eq(read_reply(0, 0, 0), 0);
	cr_expect_eq(read_reply(0, SBX_WIRE_NARROWED, 1), 0);
	cr_expect_eq(read_reply(0, SBX_WIRE_MORE, 0), 0);
	cr_expect_eq(read_reply(0, SBX_WIRE_MORE, 1), -EPROTO);
	cr_expect_eq(read_reply(-EACCES, 0, 0), 0);
	cr_expect_eq(head.status, -EACCES);
	cr_expect_eq(read_reply(-4095, 0, 0), 0);
	cr_expect_eq(read_reply(-4096, 0, 0), -EPROTO);
	cr_expect_eq(read_reply(1, 0, 0), -EPROTO);
	cr_expect_eq(read_reply(-EACCES, 0, 1), -EPROTO);
	cr_expect_eq(read_reply(-EACCES, SBX_WIRE_MORE, 0), -EPROTO);
	cr_expect_eq(read_reply(-EACCES, SBX_WIRE_NARROWED, 0), -EPROTO);
}

/* The code for one tag of that length in a message of that type. */
static int one_tag(uint16_t type, uint16_t tag, const void *value, size_t len)
{
	begin(type);
	sbxi_wire_put(&out, tag, value, len);
	return read_with(type == SBX_MSG_ATTACH);
}

Test(wire, numbers_have_their_width)
{
	static const uint8_t zeros[16];

	for (size_t len = 0; len <= 16; len++) {
		cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_KIND, zeros,
				     len), len == 4 ? 0 : -EPROTO, "%zu", len);
		cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_MAX_USES, zeros,
				     len), len == 8 ? 0 : -EPROTO, "%zu", len);
	}
}

Test(wire, texts_and_targets_have_a_length_and_no_nul)
{
	static char text[SBX_WIRE_TARGET + 2];

	memset(text, 'a', sizeof(text));
	for (size_t len = 0; len <= SBX_WIRE_TARGET + 1; len++) {
		cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_TARGET, text,
				     len), len > 0 && len <= SBX_WIRE_TARGET ?
				     0 : -EPROTO, "%zu", len);
		cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_REASON, text,
				     len), len <= SBX_WIRE_TEXT ? 0 : -EPROTO,
			     "%zu", len);
	}
	cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_TARGET, "a\0b", 3),
		     -EPROTO);
	cr_expect_eq(one_tag(SBX_MSG_REQUEST, SBX_TAG_REASON, "a\0", 2),
		     -EPROTO);
	cr_expect_eq(one_tag(SBX_MSG_DELEGATE, SBX_TAG_ARG, "a\0b", 3),
		     -EPROTO);
	cr_expect_eq(one_tag(SBX_MSG_DELEGATE, SBX_TAG_ARG, "", 0), 0);
}

Test(wire, names_are_names)
{
	static const char *const bad[] = { "", "a b", "a/b", "a\n", "\xc3\xa4",
					   "a=b", "a:3" };
	char name[SBX_WIRE_NAME + 1];

	cr_expect_eq(one_tag(SBX_MSG_RELEASE, SBX_TAG_NAME, "aZ09._-", 7), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		cr_expect_eq(one_tag(SBX_MSG_RELEASE, SBX_TAG_NAME, bad[i],
				     strlen(bad[i])), -EPROTO, "%s", bad[i]);
	cr_expect_eq(one_tag(SBX_MSG_RELEASE, SBX_TAG_NAME, "a\0", 2),
		     -EPROTO);
	memset(name, 'a', sizeof(name));
	cr_expect_eq(one_tag(SBX_MSG_RELEASE, SBX_TAG_NAME, name,
			     SBX_WIRE_NAME), 0);
	cr_expect_eq(one_tag(SBX_MSG_RELEASE, SBX_TAG_NAME, name,
			     SBX_WIRE_NAME + 1), -EPROTO);
}

Test(wire, what_is_not_known_is_skipped_unless_it_is_critical)
{
	cr_expect_eq(one_tag(SBX_MSG_LIST, 0x7ff0, "?", 1), 0);
	cr_expect_eq(one_tag(SBX_MSG_LIST, 0x7ff0 | SBX_TAG_CRITICAL, "?", 1),
		     -EOPNOTSUPP);
	/* Known elsewhere is not known here. */
	cr_expect_eq(one_tag(SBX_MSG_LIST, SBX_TAG_KIND, "?", 1), 0);
	cr_expect_eq(one_tag(SBX_MSG_LIST, SBX_TAG_KIND | SBX_TAG_CRITICAL,
			     "abcd", 4), -EOPNOTSUPP);
	/* The critical bit of a known one changes nothing. */
	cr_expect_eq(one_tag(SBX_MSG_LOG, SBX_TAG_TEXT | SBX_TAG_CRITICAL,
			     "x", 1), 0);
	cr_expect_eq(one_tag(SBX_MSG_ATTACH, SBX_TAG_NAME, "x", 1), 0);
	cr_expect_eq(one_tag(SBX_MSG_ATTACH, SBX_TAG_NAME | SBX_TAG_CRITICAL,
			     "x", 1), -EOPNOTSUPP);
}

Test(wire, what_is_malformed_weighs_more_than_what_is_unknown)
{
	begin(SBX_MSG_REQUEST);
	sbxi_wire_put(&out, 0x7ff0 | SBX_TAG_CRITICAL, "?", 1);
	sbxi_wire_put(&out, SBX_TAG_KIND, "?", 1);
	cr_expect_eq(read_with(0), -EPROTO);
}

Test(wire, what_may_be_there_once_is_not_there_twice)
{
	request();
	sbxi_wire_put_u32(&out, SBX_TAG_KIND, SBX_ASK_CONNECT);
	cr_expect_eq(read_with(0), -EPROTO);
	request();
	/* The other form of the same tag is the same tag. */
	sbxi_wire_put_u32(&out, SBX_TAG_KIND | SBX_TAG_CRITICAL,
			  SBX_ASK_CONNECT);
	cr_expect_eq(read_with(0), -EPROTO);
	begin(SBX_MSG_DELEGATE);
	for (int i = 0; i < 300; i++)
		sbxi_wire_put_text(&out, SBX_TAG_ARG, "x");
	cr_expect_eq(read_with(0), 0);
}

Test(wire, tags_end_where_the_message_ends)
{
	for (size_t cut = 1; cut < 4; cut++) {
		request();
		out.len += cut;
		memset(buf + out.len - cut, 0, cut);
		cr_expect_eq(read_with(0), -EPROTO, "%zu", cut);
	}
	request();
	sbxi_wire_put_text(&out, SBX_TAG_REASON, "why");
	cr_assert_eq(read_with(0), 0);
	for (uint16_t len = 0; len < 300; len++) {
		sbxi_set(buf + out.len - 5, len, 2);
		cr_expect_eq(sbxi_wire_read(buf, out.len, 0, &head, &body),
			     len == 3 ? 0 : -EPROTO, "%u", len);
	}
	sbxi_set(buf + out.len - 5, UINT16_MAX, 2);
	cr_expect_eq(sbxi_wire_read(buf, out.len, 0, &head, &body), -EPROTO);
}

static size_t put_grant(const char *name)
{
	size_t mark = sbxi_wire_open(&out, SBX_TAG_GRANT);

	sbxi_wire_put_text(&out, SBX_TAG_NAME, name);
	sbxi_wire_put_u64(&out, SBX_TAG_USED_USES, 3);
	return mark;
}

Test(wire, tags_inside_of_tags_are_read_and_checked)
{
	struct sbxi_wire_tag t;
	size_t mark;

	begin(SBX_MSG_REPLY);
	sbxi_wire_close(&out, put_grant("one"));
	sbxi_wire_close(&out, put_grant("two"));
	cr_expect_eq(read_with(0), 0);
	cr_assert(sbxi_wire_next(&body, &t) && sbxi_wire_next(&body, &t));
	cr_expect_eq(sbxi_wire_u64(sbxi_wire_inside(&t), SBX_TAG_USED_USES,
				   0), 3);
	cr_expect_not(sbxi_wire_next(&body, &t));
	begin(SBX_MSG_REPLY);
	mark = put_grant("one");
	sbxi_wire_put(&out, SBX_TAG_KIND, "abc", 3);
	sbxi_wire_close(&out, mark);
	cr_expect_eq(read_with(0), -EPROTO);
	begin(SBX_MSG_REPLY);
	mark = put_grant("one");
	sbxi_wire_put(&out, 0x7ff0 | SBX_TAG_CRITICAL, "abc", 3);
	sbxi_wire_close(&out, mark);
	cr_expect_eq(read_with(0), -EOPNOTSUPP);
	/* What is malformed weighs more here, too, whatever comes behind. */
	begin(SBX_MSG_REPLY);
	mark = put_grant("one");
	sbxi_wire_put(&out, SBX_TAG_KIND, "abc", 3);
	sbxi_wire_close(&out, mark);
	mark = put_grant("two");
	sbxi_wire_put(&out, 0x7ff0 | SBX_TAG_CRITICAL, "abc", 3);
	sbxi_wire_close(&out, mark);
	cr_expect_eq(read_with(0), -EPROTO);
	/* Nothing nests twice: there it is a tag that nobody knows. */
	begin(SBX_MSG_REPLY);
	mark = put_grant("one");
	sbxi_wire_put(&out, SBX_TAG_GRANT | SBX_TAG_CRITICAL, "abc", 3);
	sbxi_wire_close(&out, mark);
	cr_expect_eq(read_with(0), -EOPNOTSUPP);
}

Test(wire, a_length_inside_of_a_tag_does_not_lead_out_of_it)
{
	begin(SBX_MSG_REPLY);
	sbxi_wire_close(&out, put_grant("one"));
	sbxi_wire_put_text(&out, SBX_TAG_TEXT, "some more bytes");
	cr_assert_eq(read_with(0), 0);
	/* The length of NAME, inside: up to the end of all. */
	for (uint16_t len = 0; len < 60; len++) {
		sbxi_set(buf + SBX_WIRE_HEADER + 4 + 2, len, 2);
		cr_expect_eq(sbxi_wire_read(buf, out.len, 0, &head, &body),
			     len == 3 ? 0 : -EPROTO, "%u", len);
	}
}

Test(wire, a_grant_has_eight_labels_at_most)
{
	for (int n = 0; n <= SBX_WIRE_LABELS + 1; n++) {
		size_t mark;

		begin(SBX_MSG_REPLY);
		mark = put_grant("one");
		for (int i = 0; i < n; i++)
			sbxi_wire_put_text(&out, SBX_TAG_LABEL, "egress");
		sbxi_wire_close(&out, mark);
		cr_expect_eq(read_with(0), n <= SBX_WIRE_LABELS ? 0 : -EPROTO,
			     "%d", n);
	}
}

Test(wire, every_byte_of_a_message_turned_over_is_read_or_refused)
{
	uint8_t good[sizeof(buf)];

	request();
	sbxi_wire_put_text(&out, SBX_TAG_REASON, "because");
	cr_assert_eq(read_with(0), 0);
	memcpy(good, buf, out.len);
	for (size_t i = 0; i < out.len; i++) {
		for (int value = 0; value < 256; value++) {
			int rc;

			buf[i] = (uint8_t)value;
			rc = sbxi_wire_read(buf, out.len, 0, &head, &body);
			cr_expect(rc == 0 || rc == -EPROTO ||
				  rc == -EOPNOTSUPP ||
				  rc == -EPROTONOSUPPORT, "%zu: %d", i, rc);
		}
		buf[i] = good[i];
	}
}
