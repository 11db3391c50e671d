/* SPDX-License-Identifier: Apache-2.0 */
/* suid DIR: make set-uid and set-gid files and device nodes, each way. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "in.h"

int main(int argc, char **argv)
{
	int fd;

	if (argc < 2 || chdir(argv[1]) < 0)
		return 2;
	umask(0);
	fd = open("plain", O_RDWR | O_CREAT, 0644);
	in_tell("open", fd);
	in_tell("chmod-plain", chmod("plain", 0755));
	in_tell("chmod-suid", chmod("plain", 04755));
	in_tell("chmod-sgid", chmod("plain", 02755));
	in_tell("fchmod-suid", fchmod(fd, 04755));
	in_tell("fchmodat-suid", fchmodat(AT_FDCWD, "plain", 06755, 0));
	in_tell("creat-suid", creat("created", 04755));
	in_tell("openat-suid", openat(AT_FDCWD, "opened", O_RDWR | O_CREAT,
				      06755));
	in_tell("mknod-suid", mknod("node", S_IFREG | 04755, 0));
	in_tell("mknod-device", mknod("null", S_IFCHR | 0666, makedev(1, 3)));
	in_tell("mknod-block", mknod("disk", S_IFBLK | 0666, makedev(7, 0)));
	in_tell("mkdir-sgid", mkdir("folder", 02755));
	in_tell("mkfifo", mkfifo("fifo", 0644));
	return 0;
}
