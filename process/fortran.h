/* SPDX-License-Identifier: MIT */
#ifndef IMAGE_FORTRAN_H
#define IMAGE_FORTRAN_H

#include <stdbool.h>

/* Is this an address in the code of Fortran's run-time library, loaded as a library? */
bool image_is_fortran(const void *code);

#endif
