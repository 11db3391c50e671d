/* SPDX-License-Identifier: Apache-2.0 */
/* usage: the text of sbx-exec --help. */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

extern const char cli_usage[];

#endif
