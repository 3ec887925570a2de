/* SPDX-License-Identifier: MIT */
/* Error codes of every room below MPI. See error.def. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

enum b_error {
#define B_ERROR(name, number, message) B_##name = number,
#include <base/error.def>
#undef B_ERROR
};

/* Name ("ENOMEM") and message of an error. `code` may be positive or negative; 0 gives "OK" and
 * "success", an unknown code "E?" and "unknown error". The strings are constants. */
const char *b_error_name(int code);
const char *b_error_message(int code);

#endif
