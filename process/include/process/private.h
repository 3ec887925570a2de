/* SPDX-License-Identifier: MIT */
/* What compilers keep once per OS thread, kept once per rank where ranks share a process: the
 * program's thread-local variables, and the exceptions that it is handling (a rank may wait inside
 * a `catch`). The ranks of a core share its OS thread, so these values change hands when a call
 * comes back to another rank than the one before, or calls a function of its program. */
#ifndef PROCESS_PRIVATE_H
#define PROCESS_PRIVATE_H

#include <stdint.h>

/* In the order of the C++ ABI (Itanium, 2.2.2). */
struct image_exceptions {
    void *caught;
    unsigned uncaught;
};

struct image_ending; /* something to be done when the rank ends */

struct image_private {
    uint8_t *variables; /* NULL: none */
    struct image_exceptions exceptions;
    struct image_ending *ending; /* the last one registered first */
};

struct image_rank;

/* Before the machine runs, in a process that ranks will share: sets image.privately if the program
 * needs any of this. A static program has none of it. */
void image_private_prepare(void);

struct image_privately {
    /* The calling rank begins: fresh values. Ends the job if memory is short. */
    void (*begin)(struct image_rank *r);
    /* A call comes back to the program, or calls a function of it: the calling rank's values are
     * put in place. */
    void (*back)(void);
    /* The rank's main is over: the destructors of its thread-local variables. */
    void (*finish)(struct image_rank *r);
    /* The rank is gone. */
    void (*end)(struct image_rank *r);
};

#endif
