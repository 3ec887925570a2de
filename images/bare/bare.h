/* SPDX-License-Identifier: MIT */
/* What a program on bare metal and the system say to each other. The program, with the C library,
 * is there once for each rank; the system is there once for each cluster. All that a program's C
 * library asks of a system is asked here; what MPI does goes by MPI's own functions. */
#ifndef IMAGE_BARE_H
#define IMAGE_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpiutil/boot.h>

struct bare_rank;

/* The system's side: called on the rank's thread, with the rank that bare_program was given. */

/* The rank's program is over. Nothing more of it runs. */
_Noreturn void bare_exit(struct bare_rank *r, int status);

/* Text of standard output (1) or error (2). May wait for the line. */
void bare_write(struct bare_rank *r, int fd, const char *text, size_t n);

/* Whether it is this rank that reads standard input. */
bool bare_reads_input(const struct bare_rank *r);

/* Asks the computer that runs the machine: hal/virt.h. */
long bare_host(long operation, const void *arguments);

/* At least n bytes of the cluster's memory, *got of them, the rank's until it ends; NULL: there are
 * not so many. */
void *bare_memory(struct bare_rank *r, size_t n, size_t *got);

/* Gives n such bytes at p back; false: they are not all of what was got at once. */
bool bare_memory_free(struct bare_rank *r, void *p, size_t n);

/* Nanoseconds since the machine began, and waiting for so many. */
uint64_t bare_time(void);
void bare_sleep(uint64_t ns);

/* Lets the other ranks of the core run. */
void bare_yield(void);

/* What the rank's node is called; does not change. */
const char *bare_node(void);

/* Of the rank that the calling thread is. Thread-local, and the program's, so a rank has its own as
 * long as it has the storage of its copy. */
extern _Thread_local struct mpu_public bare_public;

/* Between the parts of the program's side: text for standard output (1) or error (2). */
void bare_put(int fd, const char *text, size_t n);

/* Called when the program ends, unless NULL. */
extern void (*bare_at_end)(void);

/* The rank that this copy of the program is. */
extern struct bare_rank *bare_self;

/* The program's side: runs it, in the copy of the rank. Arguments and environment are the rank's
 * own, each list ends with NULL. */
_Noreturn void bare_program(struct bare_rank *r, int argc, char **argv, char **envp);

#endif
