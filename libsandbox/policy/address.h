/* SPDX-License-Identifier: Apache-2.0 */
/* address: IP addresses and ranges of them, out of their wrappings. */
#ifndef SBXI_POLICY_ADDRESS_H
#define SBXI_POLICY_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* IPv4 in the first four bytes, the others 0. */
struct sbxi_address {
	uint8_t byte[16];
	bool v6;
};

/* All addresses that have their first `bits` bits in common. */
struct sbxi_range {
	struct sbxi_address from;	/* bits beyond those are 0 */
	uint8_t bits;			/* 0 to 32 or 128 */
};

/* What kind of place an address is. */
enum sbxi_address_class {
	SBXI_ADDRESS_PUBLIC = 0,
	SBXI_ADDRESS_PRIVATE,		/* and shared, site-local, unique local */
	SBXI_ADDRESS_LOOPBACK,
	SBXI_ADDRESS_LINK_LOCAL,
	SBXI_ADDRESS_METADATA,		/* where clouds tell machines their secrets */
	SBXI_ADDRESS_MULTICAST,
	SBXI_ADDRESS_RESERVED		/* unspecified, documentation, not given out */
};

/* A block of addresses that are not simply public. */
struct sbxi_special;

/*
 * "192.0.2.1" or "2001:db8::1" and no other spelling: no zone, no numbers
 * that are hexadecimal, octal or of fewer than four parts.  The result is
 * unwrapped.  0 or -EINVAL.
 */
int sbxi_address_parse(const char *text, struct sbxi_address *ret);

/*
 * IPv6 that carries an IPv4 address becomes that one, since that is where
 * the packets end: mapped, compatible, translated, NAT64 (64:ff9b::/96) and
 * 6to4.
 */
void sbxi_address_unwrap(struct sbxi_address *address);

/* The same address, as 4 or 16 bytes of a socket address; unwrapped. */
struct sbxi_address sbxi_address_from(const void *bytes, bool v6);

enum sbxi_address_class sbxi_address_class(const struct sbxi_address *address);
const char *sbxi_address_class_name(enum sbxi_address_class c);

/*
 * "192.0.2.0/24", or an address for itself alone.  0, or -EINVAL and why: a
 * bad address or length, bits beyond the length, or an IPv6 range of wrapped
 * addresses.
 */
int sbxi_range_parse(const char *text, struct sbxi_range *ret,
		     const char **ret_why);

/* Is all of inner in outer? */
bool sbxi_range_within(const struct sbxi_range *outer,
		       const struct sbxi_range *inner);

/* Of one address. */
struct sbxi_range sbxi_range_of(const struct sbxi_address *address);

/* The smallest special block that has all of it, or NULL. */
const struct sbxi_special *sbxi_range_special(const struct sbxi_range *range);

/* As it is written; buf has SBXI_RANGE_BYTES. */
#define SBXI_RANGE_BYTES 64
void sbxi_range_print(const struct sbxi_range *range,
		      char buf[SBXI_RANGE_BYTES]);

#endif
