/* SPDX-License-Identifier: MIT */
#include "missing.h"

__attribute__((weak)) void hal_template_missing(const char *function)
{
    (void)function;
}
