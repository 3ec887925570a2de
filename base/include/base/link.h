/* SPDX-License-Identifier: MIT */
/* What a program may be linked without. */
#ifndef BASE_LINK_H
#define BASE_LINK_H

/* Before the declaration of a function that is linked only where something else asks for its file,
 * so that a static program, which pays for each byte, carries it only if it needs it. Elsewhere its
 * name is NULL: who calls it asks first. */
#define B_IF_LINKED __attribute__((weak))

#endif
