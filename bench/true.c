/* SPDX-License-Identifier: Apache-2.0 */
/* true: the smallest task there is. */
int main(void)
{
	return 0;
}
