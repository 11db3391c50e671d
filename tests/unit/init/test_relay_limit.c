/* SPDX-License-Identifier: Apache-2.0 */
/* relay: output ends exactly at the limit, with a mark, and is drained on. */
#include "relay_test.h"

TestSuite(relay_limit, .init = start, .timeout = 20);

static const char *mark(uint64_t limit)
{
	static char text[80];

	snprintf(text, sizeof(text), "\n[sbx: output cut at %llu bytes]\n",
		 (unsigned long long)limit);
	return text;
}

/* So many bytes in pieces of that size, with that limit. */
static void expect_cut(size_t total, size_t piece, uint64_t limit)
{
	size_t within = total < limit ? total : (size_t)limit, len, got = 0;
	struct ends b;

	start();
	r.limit = limit;
	b = connect_stream(1);
	make_data();
	for (size_t at = 0; at < total; at += piece) {
		put(b.in, data + at, total - at < piece ? total - at : piece);
		settle();
	}
	close_in(&b);
	settle();
	len = get(b.out, NULL);
	got = len < within ? len : within;
	cr_expect_eq(got, within, "%zu of %zu", got, within);
	cr_expect_eq(memcmp(out, data, got), 0);
	cr_expect_str_eq(out + got, total > limit ? mark(limit) : "",
			 "%zu in pieces of %zu, limit %zu: '%s'", total,
			 piece, (size_t)limit, out + got);
	cr_expect_eq(r.output_bytes, within);
	cr_expect_eq(r.cut, total > limit);
	cr_expect(sbxi_relay_done(&r));
	close(b.out);
}

Test(relay_limit, the_limit_is_exact)
{
	static const uint64_t limits[] = {
		0, 1, 2, 79, 80, 81, 100, 4095, 4096, 4097, 5000, 8191, 8192,
		8193, 10000,
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		uint64_t limit = limits[i];

		expect_cut((size_t)limit, 4096, limit);
		expect_cut((size_t)limit + 1, 4096, limit);
		expect_cut((size_t)limit + 1, 1000, limit);
		expect_cut(20000, 4096, limit);
		if (limit > 0)
			expect_cut((size_t)limit - 1, 999, limit);
	}
	expect_cut(300, 1, 100);
	expect_cut(100, 1, 100);
}

Test(relay_limit, the_mark_of_the_highest_limit_fits)
{
	struct ends b = connect_stream(1);

	/* As if all but the last bytes had been passed on. */
	r.limit = SBXI_NO_LIMIT - 1;
	r.output_bytes = r.limit - (SBXI_RELAY_BUFFER - 1);
	make_data();
	put(b.in, data, SBXI_RELAY_BUFFER);
	settle();
	cr_expect_eq(get(b.out, NULL), SBXI_RELAY_BUFFER - 1 +
		     strlen(mark(r.limit)));
	cr_expect_str_eq(out + SBXI_RELAY_BUFFER - 1, mark(r.limit));
}

/* The mark comes on top of what one write takes whole. */
Test(relay_limit, loses_no_byte_of_a_mark_that_is_written_in_parts)
{
	struct ends b = connect_stream(1);
	size_t got;

	make_data();
	r.limit = SBXI_RELAY_BUFFER - 2;
	cr_assert_gt(fcntl(r.stream[1].to, F_SETPIPE_SZ, 4096), 0);
	put(b.in, data, SBXI_RELAY_BUFFER);
	settle();
	got = get(b.out, NULL);
	settle();
	got += get(b.out, NULL);
	cr_expect_eq(got, r.limit + strlen(mark(r.limit)));
}

Test(relay_limit, both_outputs_share_the_limit)
{
	struct ends b = connect_stream(1), c = connect_stream(2);

	r.limit = 10;
	put_text(b.in, "123456");
	settle();
	put_text(c.in, "1234567");
	settle();
	expect_out(b.out, "123456", false);
	get(c.out, NULL);
	cr_expect_eq(strncmp(out, "1234", 4), 0);
	cr_expect_str_eq(out + 4, mark(10), "'%s'", out);
	cr_expect_eq(r.output_bytes, 10);
	/* No room is left to the other one either. */
	put_text(b.in, "7");
	settle();
	expect_out(b.out, mark(10), false);
	cr_expect_eq(r.output_bytes, 10);
	cr_expect(r.cut);
}

Test(relay_limit, input_is_not_limited)
{
	struct ends a = connect_stream(0);

	r.limit = 3;
	put_text(a.in, "longer than three");
	settle();
	expect_out(a.out, "longer than three", false);
	cr_expect_eq(r.output_bytes, 0);
	cr_expect_not(r.cut);
}

Test(relay_limit, a_writer_beyond_the_limit_is_not_held_up)
{
	struct ends b = connect_stream(1);

	r.limit = 5;
	/* Many times what both pipes hold, and nobody reads. */
	for (int i = 0; i < 400; i++) {
		put(b.in, data, 4096);
		settle();
	}
	close_in(&b);
	settle();
	cr_expect(sbxi_relay_done(&r));
	cr_expect_eq(get(b.out, NULL), 5 + strlen(mark(5)));
}

Test(relay_limit, what_is_beyond_the_limit_is_drained_too)
{
	struct ends b = connect_stream(1);

	r.limit = 5;
	make_data();
	put(b.in, data, 50000);
	for (int i = 0; i < 1000 && !sbxi_relay_done(&r); i++) {
		sbxi_relay_drain(&r);
		turn();
	}
	sbxi_relay_drain(&r);
	cr_expect(sbxi_relay_done(&r));
	cr_expect_eq(get(b.out, NULL), 5 + strlen(mark(5)));
	cr_expect_eq(memcmp(out, data, 5), 0);
	cr_expect_str_eq(out + 5, mark(5));
	cr_expect_eq(r.output_bytes, 5);
	cr_expect(r.cut);
}

/* Each stream has read its share, and the other is at its end already. */
Test(relay_limit, a_limit_that_is_used_up_still_marks_what_is_drained)
{
	struct ends b = connect_stream(1), c = connect_stream(2);

	r.limit = 4;
	put_text(b.in, "1234");
	settle();
	put_text(c.in, "5");
	for (int i = 0; i < 1000 && !sbxi_relay_done(&r); i++) {
		sbxi_relay_drain(&r);
		turn();
	}
	expect_out(b.out, "1234", true);
	expect_out(c.out, mark(4), true);
	cr_expect(r.cut);
}
