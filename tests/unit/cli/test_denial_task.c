/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "denial.h"

TestSuite(denial_task, .timeout = 10);

static const char *offered(uint32_t kind, uint32_t flags,
			   const char *operation, const char *object)
{
	static struct cli_denial_texts texts;
	const struct sbx_denial from = {
		.size = sizeof(from), .kind = kind, .code = -EACCES,
		.missed = 3, .flags = flags, .operation = operation,
		.object = object, .grant = "",
	};
	struct cli_denial d;

	cli_denial_of_task(&from, &texts, &d);
	cr_assert_str_eq(d.operation, operation);
	cr_assert_eq(d.code, -EACCES);
	cr_assert_eq(d.missed, 3);
	return d.allow_with;
}

static const char *option_for(uint32_t kind, const char *operation,
			      const char *object)
{
	return offered(kind, SBX_DENIAL_EXISTS, operation, object);
}

Test(denial_task, grants_the_thing_or_the_folder_that_has_its_name)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", "/srv/a/file"),
			 "--rw /srv/a/file");
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "unlink", "/srv/a/file"),
			 "--rw /srv/a");
	cr_expect_str_eq(offered(SBX_DENIAL_WRITE, 0, "open", "/srv/a/new"),
			 "--rw /srv/a");
	cr_expect_str_eq(option_for(SBX_DENIAL_READ, "watch", "/srv/a/file"),
			 "--ro /srv/a/file");
}

Test(denial_task, offers_nothing_that_is_too_wide)
{
	static const char *const wide[] = {
		"/", "/usr", "/etc", "/tmp", "/home", "/proc/1/mem",
		"/sys/power/state", "/dev/pts/3", "/home/me", "relative", "",
	};

	setenv("HOME", "/home/me", 1);
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", wide[i]),
				 "", "%s", wide[i]);
		cr_expect_str_eq(option_for(SBX_DENIAL_READ, "watch", wide[i]),
				 "", "%s", wide[i]);
		cr_expect_str_eq(option_for(SBX_DENIAL_TRUST, "open", wide[i]),
				 "", "%s", wide[i]);
	}
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "mkdir", "/usr/new"),
			 "");
	/* The twin. */
	cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open", "/home/me/x"),
			 "--rw /home/me/x");
}

Test(denial_task, offers_no_text_that_means_more_than_a_path)
{
	static const char *const words[] = {
		"/srv/a --rw /etc", "/srv/q;reboot", "/srv/$(reboot)/x",
		"/srv/a\n/x", "/srv/`x`/y", "/srv/a'b", "/srv/a\"b", "/srv/*/b",
		"/srv/~/b", "/srv/\xe2\x80\x8b/b", "/srv/a\\b", "/srv/a&/b",
		"/srv/a|/b", "/srv/a>/b", "/srv/#/b", "/srv/!/b", "/srv/{a,b}/c",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		cr_expect_str_eq(option_for(SBX_DENIAL_WRITE, "open",
					    words[i]), "", "%s", words[i]);
		cr_expect_str_eq(option_for(SBX_DENIAL_SOCKET, "connect",
					    words[i]), "", "%s", words[i]);
	}
	/* A path that was cut is another one's. */
	cr_expect_str_eq(offered(SBX_DENIAL_WRITE,
				 SBX_DENIAL_EXISTS | SBX_DENIAL_CUT, "open",
				 "/srv/a/b"), "");
}

Test(denial_task, lifts_protection_as_little_as_it_can)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_TRUST, "open", "/srv/a/f"),
			 "--no-protect /srv/a/f");
	cr_expect_str_eq(option_for(SBX_DENIAL_LINKS, "open", "/srv/a/f"),
			 "--no-protect /srv/a/f");
	cr_expect_str_eq(offered(SBX_DENIAL_TRUST, 0, "mkdir", "/srv/a/f"),
			 "--protect existing");
}

Test(denial_task, hands_connections_over_by_name)
{
	cr_expect_str_eq(option_for(SBX_DENIAL_SOCKET, "connect", "/run/a/x"),
			 "--unix NAME=/run/a/x");
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
