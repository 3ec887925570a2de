/* SPDX-License-Identifier: MIT */
/* The two buffers of a collective: what is sent and what is received, and how the arguments become
 * that (args.c). */
#ifndef MPI_COLL_SIDE_H
#define MPI_COLL_SIDE_H

#include "coll/args.h"
#include "datatype/type.h"

struct mpi_coll;

#define MPI_COLL_ONE (-1) /* blocks: none, the data is one whole */

/* count elements of a type at buf. Where time counts they are handed on by address: a processor
 * that reads in one go what was just written in parts waits for it. */
struct mpi_elements {
    void *buf;
    MPI_Count count;
    const struct mpi_type *type;
};

/* One of the two buffers, checked. A side with blocks has one per rank (or neighbour). */
struct mpi_side {
    uint8_t *buf;
    MPI_Count count; /* of every block, where `counts` has none */
    const struct mpi_type *type;
    MPI_Aint extent; /* of type */
    struct mpi_numbers counts, displs;
    const struct mpi_type **types; /* w forms: one per block, retained */
    int blocks;
    uint64_t run; /* bytes that lie in one run from buf on, if that is known at once */
};

/* Block i of a side; n blocks from `first` on, which are all alike; all of a side that has no
 * blocks; n consecutive bytes; nothing. */
struct mpi_elements mpi_coll_block_apart(const struct mpi_side *s, int i); /* v and w forms */
static inline struct mpi_elements mpi_coll_block(const struct mpi_side *s, int i)
{
    if (s->counts.at)
        return mpi_coll_block_apart(s, i);
    uintptr_t at = (uintptr_t)i * (uintptr_t)s->count * (uintptr_t)s->extent;
    return (struct mpi_elements){(void *)((uintptr_t)s->buf + at), s->count, s->type};
}
struct mpi_elements mpi_coll_blocks(const struct mpi_side *s, int first, int n);
static inline struct mpi_elements mpi_coll_whole(const struct mpi_side *s)
{
    return (struct mpi_elements){s->buf, s->count, s->type};
}
struct mpi_elements mpi_coll_bytes(void *buf, uint64_t n);
static inline struct mpi_elements mpi_coll_nothing(void)
{
    return (struct mpi_elements){0};
}

/* Bytes of data. */
static inline uint64_t mpi_elements_bytes(const struct mpi_elements *d)
{
    return d->type ? (uint64_t)d->count * (uint64_t)d->type->size : 0;
}

/* --- Checks that kinds share. An error class, raised. --- */

/* `blocks` of them, or data that is one whole (MPI_COLL_ONE). `what`: "sendbuf" ... for
 * messages. */
int mpi_coll_check_side(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a,
                        int blocks, const char *what);

/* All arguments, as the kind says which there are; fills in send, recv, op, root, role, bytes. */
int mpi_coll_check(struct mpi_coll *c, const struct mpi_coll_args *a);

/* Of n blocks that are received, and that all ranks must give alike: c->bytes, c->amounts. */
void mpi_coll_add_blocks(struct mpi_coll *c, int n);

/* MPI_IN_PLACE where it may not be is an error; so is one buffer for both. */
int mpi_coll_check_apart(struct mpi_coll *c, const struct mpi_coll_args *a);

#endif
