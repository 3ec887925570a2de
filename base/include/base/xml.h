/* SPDX-License-Identifier: MIT */
/* Words of the user in drawings and reports. */
#ifndef BASE_XML_H
#define BASE_XML_H

#include <stddef.h>

/* Writes words into `text`, of `size` > 0 bytes, as they must stand between two tags of XML: what
 * would be a tag, or the name of a character, as a number. What does not fit is left out. Answers
 * `text`. */
const char *b_xml(const char *words, char *text, size_t size);

#endif
