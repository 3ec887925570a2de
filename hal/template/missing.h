/* SPDX-License-Identifier: MIT */
/* A function that the port still has to write says its name when it is called. */
#ifndef HAL_TEMPLATE_MISSING_H
#define HAL_TEMPLATE_MISSING_H

#define MISSING() hal_template_missing(__func__)

/* Says so where the template runs by itself (boot/say.c) and ends the machine; elsewhere it does
 * nothing, and the function answers what it answers. */
void hal_template_missing(const char *function);

#endif
