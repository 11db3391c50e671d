/* SPDX-License-Identifier: Apache-2.0 */
/* text: strings from anywhere, made fit for a terminal or for JSON. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdio.h>

/*
 * For people: control characters, characters that turn the direction of
 * writing, and bytes that are no UTF-8 appear as "\n" or "\x1b".
 */
void cli_text_print(FILE *out, const char *text);

/* The same in memory; malloc'd, NULL without memory. */
char *cli_text_escaped(const char *text);

/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void cli_text_json(FILE *out, const char *text);

/* "ENOENT"; the text of strerror(3) where there is no name. */
const char *cli_errno_name(int err);

#endif
