/* SPDX-License-Identifier: MIT */
/* The names of functions in what a bare machine says of a fault: from the table of symbols that
 * mpicc leaves beside an image, NAME.img.elf. */
#ifndef LAUNCHER_WHERE_H
#define LAUNCHER_WHERE_H

#include <stdbool.h>
#include <stddef.h>

#include <svc/spawn.h>

/* What runs: kept by reference. Without symbols nothing is found later. */
void where_of(const char *image, const struct svc_job *job, int clusters);

/* If the line, of n bytes, says of a pc: ", in store+0x6 (cage.c:27) of rank 1", as far as that is
 * known. False: of none, or nothing is known of it. May start a process. */
bool where_named(const char *line, size_t n, char *text, size_t size);

#endif
