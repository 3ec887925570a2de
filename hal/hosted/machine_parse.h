/* SPDX-License-Identifier: MIT */
#ifndef HAL_HOSTED_MACHINE_PARSE_H
#define HAL_HOSTED_MACHINE_PARSE_H

#include <stddef.h>

#include <hal/machine.h>

/* Finds and reads what the line "include NAME" of the file `from` names: its path and its n bytes,
 * both of malloc and then the caller's. 0, or a negative error with one line in why. */
typedef int hal_machine_reader(const char *name, const char *from, char **path, char **text,
                               size_t *n, char *why, size_t why_size);

/* Lines "key=value", where a number without a unit has the key's smallest; NULL: none. */
struct hal_settings {
    const char *by, *lines; /* by: for messages */
};
enum { HAL_SETTINGS = 2 };

/* Parses the n bytes of a machine file, what it includes, and settings, which stand above the
 * files, the later ones above the earlier, into all of *m but its name. `file` is for messages. If
 * the number of clusters changes above the line that gives the torus, the torus becomes as square
 * as may be. -B_EINVAL: one line in why says where and what is allowed; *m is then half filled. */
int hal_machine_parse(const char *file, const char *text, size_t n, hal_machine_reader *read,
                      const struct hal_settings settings[HAL_SETTINGS], struct hal_machine *m,
                      char *why, size_t why_size);

#endif
