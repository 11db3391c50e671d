/* SPDX-License-Identifier: Apache-2.0 */
/* cleanup: what a scope owns is given back when the scope ends. */
#ifndef SBXI_BASE_CLEANUP_H
#define SBXI_BASE_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

static inline void sbxi_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void sbxi_freep(void *p)
{
	free(*(void **)p);
}

/* An open descriptor, or -1. */
#define AUTO_FD __attribute__((cleanup(sbxi_closep))) int
/* Memory of malloc(3), or NULL. */
#define AUTO_FREE __attribute__((cleanup(sbxi_freep)))

/* Give a descriptor away: the scope no longer closes it. */
static inline int sbxi_steal_fd(int *fd)
{
	int stolen = *fd;

	*fd = -1;
	return stolen;
}

#define SBXI_COUNT(array) (sizeof(array) / sizeof(*(array)))

#endif
