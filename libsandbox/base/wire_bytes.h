/* SPDX-License-Identifier: Apache-2.0 */
/* wire_bytes: little-endian numbers at any address, on any machine. */
#ifndef SBXI_BASE_WIRE_BYTES_H
#define SBXI_BASE_WIRE_BYTES_H

#include <stdint.h>

#define SBXI_WIRE_TAG_HEAD 4	/* number and length of a tag, 16 bits each */

static inline uint16_t sbxi_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t sbxi_get32(const uint8_t *p)
{
	return sbxi_get16(p) | (uint32_t)sbxi_get16(p + 2) << 16;
}

static inline uint64_t sbxi_get64(const uint8_t *p)
{
	return sbxi_get32(p) | (uint64_t)sbxi_get32(p + 4) << 32;
}

static inline void sbxi_set(uint8_t *p, uint64_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

#endif
