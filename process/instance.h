/* SPDX-License-Identifier: MIT */
/* Ranks that share a process have their own global variables all the same: each but the first runs
 * an instance of the program, the same code and data mapped once more elsewhere.
 *
 * The dynamic linker has bound the program's references once; an instance has the same values,
 * moved where they point into the program itself. Libraries are not mapped again: their variables
 * are the process's. docs/mpiexec.md says what that means for a program. */
#ifndef IMAGE_INSTANCE_H
#define IMAGE_INSTANCE_H

#include <process/image.h>

struct image_object;
struct image_instance;

/* Of the C library: runs what `who` registered with atexit, for NULL what all did. */
void __cxa_finalize(void *who);

/* The clone of the program that the calling rank runs. NULL: no clone, but the program as the
 * system started it, with the C library's variables: for the first rank of the process, and for all
 * ranks if `o` is NULL (a program that cannot be mapped again). It lives as long as the process.
 * Ends the job if memory is short. */
struct image_instance *image_instance_new(struct image_object *o);

/* Runs the instance's constructors; where `main` of the program is in it. On the rank's thread. */
image_main_function *image_instance_begin(struct image_instance *in, image_main_function *main,
                                          int argc, char **argv, char **envp);

/* Runs what the instance registered with atexit, and its destructors. It stays mapped: streams and
 * signal handlers may still lead into it. On the rank's thread. */
void image_instance_end(struct image_instance *in);

/* If `in` is the program `o` as the system started it: runs what it registered with atexit, which
 * is usually left to the end of the process and will not run again then. NULL for `o`: nothing, for
 * ranks share what it registered. On the rank's thread. */
void image_first_end(const struct image_instance *in, const struct image_object *o);

/* Where the program's address 0 is for who runs `in` (NULL: as the system started it). */
uintptr_t image_instance_base(const struct image_instance *in, const struct image_object *o);

/* How far from the program as the system started it the instance lies that holds this address; 0:
 * none holds it. From any thread. */
uintptr_t image_instance_distance(uintptr_t address);

/* Is this the name of a variable of getopt? */
bool image_is_getopt(const char *name);

/* The variables of getopt of who runs `in`. */
struct image_optvars image_instance_getopt(struct image_instance *in);

#endif
