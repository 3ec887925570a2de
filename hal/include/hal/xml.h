/* SPDX-License-Identifier: MIT */
/* Hosted ports only: words of the user in drawings. */
#ifndef HAL_XML_H
#define HAL_XML_H

#include <stddef.h>

/* Writes words into `text` as they must stand between two tags of XML: what would be a tag, or the
 * name of a character, as a number. What does not fit is left out. Answers `text`. */
const char *hal_xml(const char *words, char *text, size_t size);

#endif
