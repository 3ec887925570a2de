/* SPDX-License-Identifier: MIT */
/* Cells in memory that processes share: where a message of some size lies on its way. The sender's
 * core owns a slab of them, takes one, and fills it; an entry of the receiver's ring names it; the
 * receiver reads it when it wants the message, and gives it back. So memory grows with what is
 * under way, a receiver spends none of its own on messages that it does not want yet, and what a
 * sender can be ahead of its receivers is what its slab holds.
 *
 * Cells for messages come in a few sizes, each with its part of the slab, so that none takes it
 * all. Pieces of long messages, which their receiver is taking and whose cells it gives back soon,
 * have cells of their own: so they go on while all others hold what nobody wants yet. There are few
 * of these, for what is under way should stay in caches. Nothing here waits.
 *
 * A core may also keep some cells that it has read, of its own slab or of another one, as their
 * lines are in its caches now (shared/loan.h).
 *
 * The reader of a cell had its lines last. Who takes a cell for up to MPU_SLAB_AHEAD bytes asks for
 * all their lines at once. (512 B in windows of 16, AMD EPYC: 116 ns for each message instead of
 * 157.) */
#ifndef MPIUTIL_SHARED_SLAB_H
#define MPIUTIL_SHARED_SLAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/message.h>

#define MPU_SLAB_AHEAD     4096 /* bytes of a cell that are asked for before they are written */
#define MPU_SLAB_SIZES     5
#define MPU_SLAB_PIECES    MPU_SLAB_SIZES /* behind the sizes of messages: cells of pieces */
#define MPU_SLAB_PAYLOAD_0 256            /* bytes of the smallest cell; each size has four times */
#define MPU_CELL_MAX       (MPU_SLAB_PAYLOAD_0 << 2 * (MPU_SLAB_SIZES - 1)) /* of the largest */

/* So many bytes in whole cache lines. */
static inline size_t mpu_lines(size_t bytes)
{
    return (bytes + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
}

/* A cell: what the receiver keeps an unexpected message by, and the bytes. */
struct mpu_slab_cell {
    _Alignas(KERN_LINE) struct mpu_arrival a;
    uint8_t payload[];
};

/* Where the cells of a size lie in a slab of so many bytes: they are numbered from 1 on. */
struct mpu_slab_size {
    uint32_t links; /* offset of the list of those given back: its first line, then the links */
    uint32_t cells; /* offset of cell 1 */
    uint32_t count, bytes;
};

struct mpu_slab_shape {
    struct mpu_slab_size size[MPU_SLAB_SIZES + 1];
    uint32_t payload; /* most that a cell for messages holds; 0: there is none */
    uint32_t piece;   /* what a cell for pieces holds */
};

/* Pure; the same for all slabs of a machine. pieces: bytes of it for cells of pieces. */
struct mpu_slab_shape mpu_slab_shape(size_t bytes, uint32_t pieces);

/* The part of the owner's core. */
struct mpu_slab {
    uint8_t *at; /* shared memory, zeroed at first */
    const struct mpu_slab_shape *shape;
    struct {
        uint32_t free; /* number of the first free cell, 0: none */
        uint32_t cut;  /* cells that there are so far */
    } size[MPU_SLAB_SIZES + 1];
};

/* What a cell is for: a message that its receiver may leave in it; a piece that it wants. */
enum mpu_slab_use { MPU_SLAB_MESSAGE, MPU_SLAB_PIECE };

/* Which size is for n bytes: of a message at most MPU_CELL_MAX. */
int mpu_slab_size_for(uint32_t n, enum mpu_slab_use use);

/* Owner: a cell for n bytes, at most shape->payload of a message, shape->piece of a piece. NULL:
 * too many are under way. */
struct mpu_slab_cell *mpu_slab_take(struct mpu_slab *s, uint32_t n, enum mpu_slab_use use);

/* Owner: it has found no cell for a piece, and would like to know when one comes back: the word
 * that then has another value than *seen. Whoever gives it back tells all that want one, and each
 * must want it anew that finds none then. NULL: one has come. */
const _Atomic(uint32_t) *mpu_slab_want(struct mpu_slab *s, uint32_t *seen);

/* Any process: the owner waits for a cell of pieces, and none has come. */
bool mpu_slab_wanted(const struct mpu_slab_shape *shape, uint8_t *at);

/* Of a cell that has come, or that was filled and goes: what another core of its process did with
 * it before it came the last time is over. That follows from what its owner, or whoever else had
 * it, did in between, which tools that watch one process do not see. */
void mpu_slab_passes(const struct mpu_slab_shape *shape, uint8_t *at,
                     const struct mpu_slab_cell *cell);

/* Cells of one size and slab that were read, to be given back together: that moves one line. */
struct mpu_slab_chain {
    struct mpu_slab_list *list; /* NULL: none */
    _Atomic(uint32_t) *end;
    uint32_t first;
};

/* Any process that maps the slab at `at`: its cell joins the chain; false: that has others. */
bool mpu_slab_gather(struct mpu_slab_chain *c, const struct mpu_slab_shape *shape, uint8_t *at,
                     const struct mpu_slab_cell *cell);

/* The cells of the chain are free again, and it has none. True: their owner wants to be told. */
bool mpu_slab_give_back(struct mpu_slab_chain *c);

/* The size that has its cells at this offset. */
const struct mpu_slab_size *mpu_slab_size_at(const struct mpu_slab_shape *shape, uint64_t offset);

/* Bytes of payload of the cell of a slab that begins at this offset; 0: none does, also where the
 * offset is one before the slab, and so a very large number. */
uint32_t mpu_slab_room(const struct mpu_slab_shape *shape, uint64_t offset);

#endif
