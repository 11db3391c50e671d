/* SPDX-License-Identifier: Apache-2.0 */
/* The same as stress_asan, as long as ThreadSanitizer has patience for. */
#include "storm.h"

int main(void)
{
	return storm_main(8, 400);
}
