/* SPDX-License-Identifier: Apache-2.0 */
/* address: IP addresses and ranges of them, out of their wrappings. */
#include "policy/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define V4(a, b, c, d) { .byte = { a, b, c, d }, .v6 = false }
#define V6(...) { .byte = { __VA_ARGS__ }, .v6 = true }

struct sbxi_special {
	struct sbxi_range range;
	enum sbxi_address_class class;
};

#define PRIVATE SBXI_ADDRESS_PRIVATE
#define LOOPBACK SBXI_ADDRESS_LOOPBACK
#define LINK SBXI_ADDRESS_LINK_LOCAL
#define METADATA SBXI_ADDRESS_METADATA
#define MULTICAST SBXI_ADDRESS_MULTICAST
#define RESERVED SBXI_ADDRESS_RESERVED

/*
 * From IANA's registries of special addresses, and where clouds keep their
 * metadata.  198.18.0.0/15 is there as the addresses that stand for names.
 * Of IPv6 only 2000::/3 is given out: the rest is reserved as a whole.
 */
static const struct sbxi_special specials[] = {
	{ { V4(0, 0, 0, 0), 8 }, RESERVED },
	{ { V4(10, 0, 0, 0), 8 }, PRIVATE },
	{ { V4(100, 64, 0, 0), 10 }, PRIVATE },
	{ { V4(100, 100, 100, 200), 32 }, METADATA },
	{ { V4(127, 0, 0, 0), 8 }, LOOPBACK },
	{ { V4(168, 63, 129, 16), 32 }, METADATA },
	{ { V4(169, 254, 0, 0), 16 }, LINK },
	{ { V4(169, 254, 169, 254), 32 }, METADATA },
	{ { V4(169, 254, 170, 2), 32 }, METADATA },
	{ { V4(169, 254, 170, 23), 32 }, METADATA },
	{ { V4(172, 16, 0, 0), 12 }, PRIVATE },
	{ { V4(192, 0, 0, 0), 24 }, RESERVED },
	{ { V4(192, 0, 0, 192), 32 }, METADATA },
	{ { V4(192, 0, 2, 0), 24 }, RESERVED },
	{ { V4(192, 88, 99, 0), 24 }, RESERVED },
	{ { V4(192, 168, 0, 0), 16 }, PRIVATE },
	{ { V4(198, 18, 0, 0), 15 }, RESERVED },
	{ { V4(198, 51, 100, 0), 24 }, RESERVED },
	{ { V4(203, 0, 113, 0), 24 }, RESERVED },
	{ { V4(224, 0, 0, 0), 4 }, MULTICAST },
	{ { V4(240, 0, 0, 0), 4 }, RESERVED },

	{ { V6(0), 3 }, RESERVED },
	{ { V6(0x40), 2 }, RESERVED },
	{ { V6(0x80), 1 }, RESERVED },
	{ { V6(0), 128 }, RESERVED },
	{ { V6([15] = 1), 128 }, LOOPBACK },
	{ { V6(0x20, 0x01), 23 }, RESERVED },
	{ { V6(0x20, 0x01, 0x0d, 0xb8), 32 }, RESERVED },
	{ { V6(0x3f, 0xff), 20 }, RESERVED },
	{ { V6(0xfc), 7 }, PRIVATE },
	{ { V6(0xfd, 0x00, 0x0e, 0xc2, [14] = 0x02, [15] = 0x54), 128 },
	  METADATA },
	{ { V6(0xfd, 0x00, 0x0e, 0xc2, [15] = 0x23), 128 }, METADATA },
	{ { V6(0xfd, 0x20, 0x00, 0xce, [14] = 0x02, [15] = 0x54), 128 },
	  METADATA },
	{ { V6(0xfe, 0x80), 10 }, LINK },
	{ { V6(0xfe, 0xc0), 10 }, PRIVATE },
	{ { V6(0xff), 8 }, MULTICAST },
};

static const char *const class_names[] = {
	[SBXI_ADDRESS_PUBLIC] = "public",
	[PRIVATE] = "private",
	[LOOPBACK] = "loopback",
	[LINK] = "link-local",
	[METADATA] = "metadata",
	[MULTICAST] = "multicast",
	[RESERVED] = "reserved",
};

/* IPv6 prefixes of whole bytes, and where in it the IPv4 address begins. */
static const struct {
	uint8_t prefix[12];
	uint8_t len, at;
} wrappings[] = {
	{ { [10] = 0xff, [11] = 0xff }, 12, 12 },		/* mapped */
	{ { [8] = 0xff, [9] = 0xff }, 12, 12 },			/* translated */
	{ { 0x00, 0x64, 0xff, 0x9b }, 12, 12 },			/* NAT64 */
	{ { 0x20, 0x02 }, 2, 2 },				/* 6to4 */
	{ { 0 }, 12, 12 },					/* compatible */
};

static struct sbxi_address as_v4(const uint8_t *from)
{
	struct sbxi_address address = { .v6 = false };

	memcpy(address.byte, from, 4);
	return address;
}

/* "::" and "::1" look like compatible ones, and are themselves. */
static bool is_zero_or_one(const struct sbxi_address *a)
{
	static const uint8_t zeros[15];

	return memcmp(a->byte, zeros, sizeof(zeros)) == 0 && a->byte[15] <= 1;
}

void sbxi_address_unwrap(struct sbxi_address *address)
{
	if (!address->v6 || is_zero_or_one(address))
		return;
	for (size_t i = 0; i < SBXI_COUNT(wrappings); i++) {
		if (memcmp(address->byte, wrappings[i].prefix,
			   wrappings[i].len) != 0)
			continue;
		*address = as_v4(address->byte + wrappings[i].at);
		return;
	}
}

struct sbxi_address sbxi_address_from(const void *bytes, bool v6)
{
	struct sbxi_address address = { .v6 = v6 };

	memcpy(address.byte, bytes, v6 ? 16 : 4);
	sbxi_address_unwrap(&address);
	return address;
}

static int parse_raw(const char *text, struct sbxi_address *ret)
{
	struct sbxi_address address = { .v6 = strchr(text, ':') != NULL };

	if (inet_pton(address.v6 ? AF_INET6 : AF_INET, text,
		      address.byte) != 1)
		return -EINVAL;
	*ret = address;
	return 0;
}

int sbxi_address_parse(const char *text, struct sbxi_address *ret)
{
	int rc = parse_raw(text, ret);

	if (rc == 0)
		sbxi_address_unwrap(ret);
	return rc;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned int bits)
{
	unsigned int whole = bits / 8;
	unsigned int rest = bits % 8;

	if (memcmp(a, b, whole) != 0)
		return false;
	return rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

bool sbxi_range_within(const struct sbxi_range *outer,
		       const struct sbxi_range *inner)
{
	return outer->from.v6 == inner->from.v6 && outer->bits <= inner->bits &&
	       same_bits(outer->from.byte, inner->from.byte, outer->bits);
}

static uint8_t width(const struct sbxi_address *address)
{
	return address->v6 ? 128 : 32;
}

struct sbxi_range sbxi_range_of(const struct sbxi_address *address)
{
	return (struct sbxi_range){ *address, width(address) };
}

const struct sbxi_special *sbxi_range_special(const struct sbxi_range *range)
{
	const struct sbxi_special *found = NULL;

	for (size_t i = 0; i < SBXI_COUNT(specials); i++) {
		const struct sbxi_special *s = &specials[i];

		if (sbxi_range_within(&s->range, range) &&
		    (!found || s->range.bits > found->range.bits))
			found = s;
	}
	return found;
}

enum sbxi_address_class sbxi_address_class(const struct sbxi_address *address)
{
	struct sbxi_range range = sbxi_range_of(address);
	const struct sbxi_special *s = sbxi_range_special(&range);

	return s ? s->class : SBXI_ADDRESS_PUBLIC;
}

const char *sbxi_address_class_name(enum sbxi_address_class c)
{
	return class_names[c];
}

/* One to three digits, no zero in front: 0 to 128 as a number, or -1. */
static int parse_bits(const char *text)
{
	size_t len = strspn(text, "0123456789");
	int bits = 0;

	if (len == 0 || len > 3 || text[len] != '\0' ||
	    (text[0] == '0' && len > 1))
		return -1;
	for (; *text; text++)
		bits = bits * 10 + (*text - '0');
	return bits;
}

static bool zero_beyond(const struct sbxi_range *range)
{
	struct sbxi_address a = range->from;

	for (unsigned int bit = range->bits; bit < width(&a); bit++)
		if (a.byte[bit / 8] & (0x80u >> bit % 8))
			return false;
	return true;
}

/* Split "address/bits"; without "/bits" it is one address. */
static int split(const char *text, struct sbxi_range *ret)
{
	char address[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	int bits;

	if (len >= sizeof(address))
		return -EINVAL;
	memcpy(address, text, len);
	address[len] = '\0';
	if (parse_raw(address, &ret->from) < 0)
		return -EINVAL;
	bits = slash ? parse_bits(slash + 1) : width(&ret->from);
	if (bits < 0 || bits > width(&ret->from))
		return -EINVAL;
	ret->bits = (uint8_t)bits;
	return 0;
}

int sbxi_range_parse(const char *text, struct sbxi_range *ret,
		     const char **ret_why)
{
	struct sbxi_range range = { .bits = 0 };
	struct sbxi_address plain;

	if (split(text, &range) < 0) {
		*ret_why = "this is no address, and no range of them (ADDRESS/BITS)";
		return -EINVAL;
	}
	if (!zero_beyond(&range)) {
		*ret_why = "the range has bits beyond its length";
		return -EINVAL;
	}
	plain = range.from;
	sbxi_address_unwrap(&plain);
	if (plain.v6 != range.from.v6 && range.bits < 128) {
		*ret_why = "these carry IPv4 addresses: name those";
		return -EINVAL;
	}
	if (plain.v6 != range.from.v6)
		range = sbxi_range_of(&plain);
	*ret = range;
	return 0;
}

void sbxi_range_print(const struct sbxi_range *range,
		      char buf[SBXI_RANGE_BYTES])
{
	char address[INET6_ADDRSTRLEN] = "";
	const char *open = range->from.v6 ? "[" : "";
	const char *close = range->from.v6 ? "]" : "";

	/* The buffer is large enough for every address. */
	(void)inet_ntop(range->from.v6 ? AF_INET6 : AF_INET, range->from.byte,
			address, sizeof(address));
	if (range->bits == width(&range->from))
		snprintf(buf, SBXI_RANGE_BYTES, "%s%s%s", open, address, close);
	else
		snprintf(buf, SBXI_RANGE_BYTES, "%s%s/%u%s", open, address,
			 range->bits, close);
}
