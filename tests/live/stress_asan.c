/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two thousand spawns from eight threads that also churn malloc: what the
 * child of a spawn does to our memory, AddressSanitizer or a pattern sees.
 */
#include "storm.h"

int main(void)
{
	return storm_main(8, 2000);
}
