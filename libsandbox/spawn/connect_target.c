/* SPDX-License-Identifier: Apache-2.0 */
/* connect_target: the text of a CONNECT grant. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/paths.h"
#include "spawn/connect.h"

#define LABEL_BYTES 63

static int refuse(const char *why, const char **ret_why)
{
	*ret_why = why;
	return -EINVAL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* 1 to 65535, decimal; no sign, no blank, no leading zero. */
static bool parse_port(const char *text, uint16_t *ret)
{
	uint32_t port = 0;
	size_t len = strlen(text);
	size_t i;

	if (len < 1 || len > 5 || text[0] == '0')
		return false;
	for (i = 0; i < len; i++) {
		if (!is_digit(text[i]))
			return false;
		port = port * 10 + (uint32_t)(text[i] - '0');
	}
	if (port > 65535)
		return false;
	*ret = (uint16_t)port;
	return true;
}

/*
 * Would inet_aton(3), or a program that follows it, read this label as part
 * of an IPv4 address?  Such a host is four plain numbers or nothing.
 */
static bool is_number_label(const char *label, size_t len)
{
	size_t i = 0;
	bool hex = len >= 2 && label[0] == '0' &&
		   (label[1] == 'x' || label[1] == 'X');

	if (hex)
		i = 2;
	for (; i < len; i++)
		if (hex ? !is_hex(label[i]) : !is_digit(label[i]))
			return false;
	return len > 0;
}

static bool is_label(const char *label, size_t len)
{
	size_t i;

	if (len < 1 || len > LABEL_BYTES || label[0] == '-' ||
	    label[len - 1] == '-')
		return false;
	for (i = 0; i < len; i++)
		if (!is_letter(label[i]) && !is_digit(label[i]) &&
		    label[i] != '-')
			return false;
	return true;
}

static int parse_name(const char *host, struct sbxi_target *ret,
		      const char **ret_why)
{
	const char *label = host;

	for (;;) {
		size_t len = strcspn(label, ".");

		if (!is_label(label, len))
			return refuse("a host is letters, digits and hyphens "
				      "between single dots", ret_why);
		if (!label[len]) {
			if (is_number_label(label, len))
				return refuse("an IPv4 address is four "
					      "decimal numbers without "
					      "leading zeros", ret_why);
			break;
		}
		label += len + 1;
	}
	ret->kind = SBXI_TARGET_NAME;
	return 0;
}

static bool parse_v4(const char *host, struct sbxi_target *ret)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
				   .sin_port = htons(ret->port) };

	if (inet_pton(AF_INET, host, &sin.sin_addr) != 1)
		return false;
	memcpy(&ret->address, &sin, sizeof(sin));
	ret->kind = SBXI_TARGET_ADDRESS;
	return true;
}

static bool parse_v6(const char *host, struct sbxi_target *ret)
{
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6,
				     .sin6_port = htons(ret->port) };

	if (inet_pton(AF_INET6, host, &sin6.sin6_addr) != 1)
		return false;
	memcpy(&ret->address, &sin6, sizeof(sin6));
	ret->kind = SBXI_TARGET_ADDRESS;
	return true;
}

static int copy_host(const char *text, size_t len, struct sbxi_target *ret,
		     const char **ret_why)
{
	if (len < 1 || len > SBXI_HOST_BYTES)
		return refuse("a host is 1 to 253 bytes", ret_why);
	memcpy(ret->host, text, len);
	ret->host[len] = '\0';
	return 0;
}

static int parse_tcp(const char *text, struct sbxi_target *ret,
		     const char **ret_why)
{
	const char *end = text[0] == '[' ? strchr(text, ']') : NULL;
	bool v6 = end != NULL;
	int rc;

	if (v6) {
		text++;
		rc = copy_host(text, (size_t)(end - text), ret, ret_why);
		end++;
	} else {
		end = strrchr(text, ':');
		if (!end)
			return refuse("a port is missing: tcp:HOST:PORT",
				      ret_why);
		rc = copy_host(text, (size_t)(end - text), ret, ret_why);
	}
	if (rc < 0)
		return rc;
	if (*end != ':' || !parse_port(end + 1, &ret->port))
		return refuse("a port is a number from 1 to 65535", ret_why);
	if (v6)
		return parse_v6(ret->host, ret) ?
			       0 :
			       refuse("between brackets stands an IPv6 "
				      "address", ret_why);
	if (strchr(ret->host, ':'))
		return refuse("an IPv6 address stands between brackets",
			      ret_why);
	return parse_v4(ret->host, ret) ? 0 :
					  parse_name(ret->host, ret, ret_why);
}

static int parse_unix(const char *path, struct sbxi_target *ret,
		      const char **ret_why)
{
	AUTO_FREE char *clean = NULL;
	int rc = sbxi_path_clean(path, &clean, ret_why);

	if (rc < 0)
		return rc;
	ret->kind = SBXI_TARGET_UNIX;
	ret->path = path;
	return 0;
}

int sbxi_target_parse(const char *text, struct sbxi_target *ret,
		      const char **ret_why)
{
	struct sbxi_target target = { .kind = 0 };
	int rc;

	if (strncmp(text, "tcp:", 4) == 0)
		rc = parse_tcp(text + 4, &target, ret_why);
	else if (strncmp(text, "unix:", 5) == 0)
		rc = parse_unix(text + 5, &target, ret_why);
	else
		rc = refuse("a target is tcp:HOST:PORT or unix:/PATH",
			    ret_why);
	if (rc == 0)
		*ret = target;
	return rc;
}
