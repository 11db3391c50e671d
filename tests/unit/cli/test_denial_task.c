/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "denial.h"

TestSuite(denial_task, .timeout = 10);

static char dir[] = "/tmp/sbx-denial.XXXXXX", file[64], missing[64];

static void make_folder(void)
{
	cr_assert(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/file", dir);
	snprintf(missing, sizeof(missing), "%s/missing", dir);
	close(open(file, O_CREAT | O_WRONLY, 0600));
}

static void remove_folder(void)
{
	unlink(file);
	rmdir(dir);
}

static const char *option_for(uint32_t kind, const char *operation,
			      const char *object)
{
	static struct cli_denial_texts texts;
	const struct sbx_denial from = {
		.size = sizeof(from), .kind = kind, .code = -EACCES,
		.missed = 3, .operation = operation, .object = object,
		.grant = "",
	};
	struct cli_denial d;

	cli_denial_of_task(&from, &texts, &d);
	cr_assert_str_eq(d.operation, operation);
	cr_assert_eq(d.code, -EACCES);
	cr_assert_eq(d.missed, 3);
	return d.allow_with;
}

static const char *with(const char *option, const char *value)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s %s", option, value);
	return text;
}

Test(denial_task, grants_the_thing_or_the_folder_that_has_its_name,
     .init = make_folder, .fini = remove_folder)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", file),
			 with("--rw", file));
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "unlink", file),
			 with("--rw", dir));
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", missing),
			 with("--rw", dir));
	cr_expect_str_eq(option_for(SBX_DENIAL_READ, "watch", file),
			 with("--ro", file));
}

Test(denial_task, never_offers_the_root_or_what_is_the_jails_own)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "mkdir", "/new"), "");
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", "/proc/1/mem"),
			 "");
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", "/sys/power"),
			 "");
}

Test(denial_task, lifts_protection_as_little_as_it_can, .init = make_folder,
     .fini = remove_folder)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_TRUST, "open", file),
			 with("--no-protect", file));
	cr_expect_str_eq(option_for(SBX_DENIAL_LINKS, "open", file),
			 with("--no-protect", file));
	cr_expect_str_eq(option_for(SBX_DENIAL_TRUST, "mkdir", missing),
			 "--protect existing");
}

Test(denial_task, hands_connections_over_by_name)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_SOCKET, "connect", "/run/x"),
			 "--unix NAME=/run/x");
	cr_expect_str_eq(option_for(SBX_DENIAL_NETWORK, "connect",
				    "tcp:192.0.2.1:443"),
			 "--connect NAME=192.0.2.1:443");
	cr_expect_str_eq(option_for(SBX_DENIAL_NETWORK, "socket", ""),
			 "--connect NAME=HOST:PORT");
	/* There is no option that grants datagrams. */
	cr_expect_str_eq(option_for(SBX_DENIAL_NETWORK, "connect",
				    "udp:192.0.2.1:53"), "");
}

Test(denial_task, of_a_kind_of_a_later_version_has_no_option)
{
	cr_expect_str_eq(option_for(99, "open", "/x"), "");
	cr_expect_str_eq(option_for(SBX_DENIAL_SYSCALL, "syscall", "mount"),
			 "--explain-syscalls");
}
