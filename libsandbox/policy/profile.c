/* SPDX-License-Identifier: Apache-2.0 */
/* profile: the paths that a policy starts with. */
#include "policy/profile.h"

#include <sandbox/policy.h>

#include "base/cleanup.h"

#define R SBX_READ
#define RX (SBX_READ | SBX_EXEC)

/*
 * /etc is listed file by file: the rest of it holds keys, tokens and the
 * configuration of services.  /etc/ssl and /etc/pki hold private keys beside
 * the certificates, so only the certificates are named.  passwd, group,
 * hosts, hostname, resolv.conf and nsswitch.conf are not here: a task gets
 * its own, which say nothing about the host.
 */
static const struct sbxi_profile_path tool[] = {
	{ "/usr", RX },
	{ "/bin", RX },
	{ "/sbin", RX },
	{ "/lib", RX },
	{ "/lib32", RX },
	{ "/lib64", RX },
	{ "/libx32", RX },
	{ "/nix/store", RX },

	/* The dynamic loader. */
	{ "/etc/ld.so.cache", R },
	{ "/etc/alternatives", RX },

	/* Certificates. */
	{ "/etc/ssl/certs", R },
	{ "/etc/ssl/cert.pem", R },
	{ "/etc/ssl/openssl.cnf", R },
	{ "/etc/pki/ca-trust", R },
	{ "/etc/pki/tls/certs", R },

	/* Time, language, names of protocols, what the system is. */
	{ "/etc/localtime", R },
	{ "/etc/protocols", R },
	{ "/etc/services", R },
	{ "/etc/mime.types", R },
	{ "/etc/os-release", R },

	/* Tools that do not start, or start differently, without these. */
	{ "/etc/fonts", R },
	{ "/etc/gitconfig", R },

	/* Runtimes count processors here. */
	{ "/sys/devices/system/cpu", R },
};

const struct sbxi_profile_path *sbxi_profile_paths(uint32_t profile,
						   size_t *ret_n)
{
	*ret_n = profile == SBX_PROFILE_TOOL ? SBXI_COUNT(tool) : 0;
	return tool;
}
