/* SPDX-License-Identifier: MIT */
/* Cores are threads of the process, so a debugger sees how they stand without being told. */
#include <hal/debug.h>

const struct hal_debug_word hal_debug_port[] = {{NULL, 0}};
