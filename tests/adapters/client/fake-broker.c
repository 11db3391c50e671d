/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: fake-broker LOG COMMAND [ARGUMENT...]
 *
 * Run the command as a task that may ask tests/unit/client/fake_broker.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../unit/client/fake_broker.h"

int main(int argc, char **argv)
{
	char number[16];
	int log, door;

	if (argc < 3)
		return 99;
	log = open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (log < 0 || fake_broker_start(log, &door) < 0)
		return 99;
	(void)snprintf(number, sizeof(number), "%d", door);
	if (setenv("SBX_BROKER_FD", number, 1) < 0)
		return 99;
	(void)execvp(argv[2], argv + 2);
	return 99;
}
