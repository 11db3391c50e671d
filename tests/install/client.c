/* SPDX-License-Identifier: Apache-2.0 */
/*
 * client: a program outside of the tree that links libsandbox-client, as C and
 * as C++.  Nobody gave it a broker, so it is told that it may not ask; then it
 * ends with 7.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sandbox/client.h>

int main(void)
{
	struct sbx_client *client = NULL;
	struct sbx_ask ask = SBX_ASK_INIT;
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbx_delegate delegate = SBX_DELEGATE_INIT;
	struct sbx_share share = SBX_SHARE_INIT;
	struct sbx_error e;
	int rc;

	memset(&e, 0, sizeof(e));
	rc = sbx_client_open(&client, &e);
	if (rc != -ENOENT || client) {
		fprintf(stderr, "client: %d: %s\n", rc, e.text);
		return 1;
	}
	if (ask.size != sizeof(ask) || answer.size != sizeof(answer) ||
	    delegate.size != sizeof(delegate) || share.size != sizeof(share))
		return 2;
	sbx_client_close(client);
	return 7;
}
