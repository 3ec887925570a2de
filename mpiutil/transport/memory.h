/* SPDX-License-Identifier: MIT */
/* Messages through memory that the clusters of a machine share (sys/k_board.h), as the processes of
 * a computer do. Each core has a ring there, in which it finds what other clusters send to its
 * ranks (lane.h), and a slab of cells, for what its own ranks send (slab.h) and others answer
 * (loan.h):
 *
 *     up to MPU_INLINE_MAX bytes  in the entries of the receiver's ring; counted (credit.h), as
 *                                 they take memory of the receiver that does not want them yet
 *     up to the eager limit, and
 *     short ones without credit   in a cell, which the entry names
 *     more                        announced; then in pieces, through cells (protocol/pipeline.c)
 *
 * Who finds a ring full keeps the message, has its outbox busy, and is told when there is room.
 * docs/linux.md, Messages between processes. */
#ifndef MPIUTIL_TRANSPORT_MEMORY_H
#define MPIUTIL_TRANSPORT_MEMORY_H

#include "rank/rank.h"

/* Ends the job if what came, with so many bytes of payload, is no message. _credit: takes the
 * credit that it brings; once, when it leaves its ring, where it stays while there is no memory. */
void mpu_memory_check(struct mpu_rank *r, const struct mpu_wire *w, uint32_t bytes);
void mpu_memory_credit(struct mpu_rank *r, const struct mpu_wire *w);

/* The cell at that place, checked in the same way; its bytes are the sender's until they have been
 * read (_read); it is given back by the next _give_back, together with others. _arrival_end: at
 * once, that of a message that was kept in it. On the core of r. */
struct mpu_slab_cell *mpu_memory_at(struct mpu_rank *r, const struct mpu_wire *w, uint64_t place);
void mpu_memory_read(struct mpu_rank *r, struct mpu_slab_cell *cell);
void mpu_memory_give_back(struct mpu_rank *r);
void mpu_memory_arrival_end(struct mpu_rank *r, struct mpu_arrival *a);

/* Sender: writes n bytes from `at` on of the message that lies at `from` to `to`; streamed: that is
 * a struct mpu_stream. */
static inline void mpu_load(const void *from, bool streamed, uint64_t at, uint64_t n, void *to)
{
    struct mpu_stream *s = (struct mpu_stream *)(uintptr_t)from;
    if (streamed)
        s->move(s, at, n, to);
    else
        memcpy(to, (const uint8_t *)from + at, n);
}

/* Cells that a core keeps after it has read them, for their lines are in its caches now; programs
 * may do without: transport/lend.c. take: one for the message or piece of a header, to rank `to`;
 * NULL: none. keep: one that was read; false: it is to be given back. store: writes n bytes to a
 * cell of the core's own that was not kept, in caches or past them. On the core of r. */
struct mpu_lending {
    struct mpu_slab_cell *(*take)(struct mpu_rank *r, int to, const struct mpu_wire *w);
    bool (*keep)(struct mpu_rank *r, struct mpu_slab_cell *cell);
    void (*store)(struct mpu_rank *r, void *to, const void *from, uint64_t n);
};
extern const struct mpu_lending mpu_lending;

/* What a cell for the bytes of a header is for. */
static inline enum mpu_slab_use mpu_memory_use(const struct mpu_wire *w)
{
    return w->kind == MPU_PIECE ? MPU_SLAB_PIECE : MPU_SLAB_MESSAGE;
}

/* The number of the place whose slab has this cell. */
static inline int mpu_memory_number(const struct mpu_place_map *m, const struct mpu_slab_cell *cell)
{
    return (int)((size_t)((const uint8_t *)cell - m->at) / m->share);
}

/* Sender: sends a piece, the w->size bytes from `at` on of the message at `from`, in a cell. False:
 * no cell is free; the bell rings when one is. r->outbox.busy is as in transport.h. */
bool mpu_memory_send_piece(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *from,
                           bool streamed, uint64_t at);

#endif
