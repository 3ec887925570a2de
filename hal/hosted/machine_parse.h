/* SPDX-License-Identifier: MIT */
#ifndef HAL_HOSTED_MACHINE_PARSE_H
#define HAL_HOSTED_MACHINE_PARSE_H

#include <stddef.h>

#include <hal/machine.h>

/* Parses the n bytes of a machine file into all of *m but its name. `file` is for messages.
 * -B_EINVAL: one line in why says where and what is allowed; *m is then half filled. */
int hal_machine_parse(const char *file, const char *text, size_t n, struct hal_machine *m,
                      char *why, size_t why_size);

#endif
