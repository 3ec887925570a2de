/* SPDX-License-Identifier: MIT */
#ifndef LAUNCHER_JSON_H
#define LAUNCHER_JSON_H

#include <stdio.h>

/* Writes a text as a string of JSON, which may also stand in a script of an HTML page. What is not
 * UTF-8 in it becomes the sign for that, U+FFFD, byte by byte. */
void json_text(FILE *to, const char *text);

#endif
