/* SPDX-License-Identifier: MIT */
/* Cells in memory that processes share: where a message of some size lies on its way. The sender's
 * core owns a slab of them, takes one, and fills it; an entry of the receiver's ring names it; the
 * receiver reads it when it wants the message, and gives it back. So memory grows with what is
 * under way, a receiver spends none of its own on messages that it does not want yet, and what a
 * sender can be ahead of its receivers is what its slab holds.
 *
 * Cells come in a few sizes, each with an equal share of the slab, so that none takes it all. New
 * ones are cut only when no cell has come back: who talks and listens in turn uses the same one
 * again, which lies in both caches. */
#ifndef MPIUTIL_TRANSPORT_SLAB_H
#define MPIUTIL_TRANSPORT_SLAB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/message.h>

#define MPU_SLAB_SIZES     5
#define MPU_SLAB_PAYLOAD_0 256 /* bytes of payload in the smallest cell; each size has four times */
#define MPU_CELL_MAX       (MPU_SLAB_PAYLOAD_0 << 2 * (MPU_SLAB_SIZES - 1)) /* ... in the largest */

struct mpu_slab_cell {
    uint32_t next;                            /* of those given back: offset in the slab, 0: none */
    uint32_t slab, size;                      /* constant: which slab, which size */
    _Alignas(KERN_LINE) struct mpu_arrival a; /* the receiver's */
    uint8_t payload[];
};

/* The part that both sides write, at the slab's beginning in shared memory. */
struct mpu_slab_shared {
    struct {
        _Alignas(KERN_LINE) _Atomic(uint32_t) given_back; /* the newest one, by offset; 0: none */
    } size[MPU_SLAB_SIZES];
};

/* The part of the owner's core. */
struct mpu_slab {
    struct mpu_slab_shared *shared;
    uint32_t number;
    uint32_t share; /* bytes of each size */
    struct {
        uint32_t free; /* as given_back */
        uint32_t cut;  /* bytes of its share */
    } size[MPU_SLAB_SIZES];
};

/* Begins a slab of so many bytes of zeroed shared memory, aligned to a page. */
void mpu_slab_init(struct mpu_slab *s, void *memory, size_t bytes, uint32_t number);

/* Owner: a cell with room for n bytes, or NULL: too many are under way, or n is too large. */
struct mpu_slab_cell *mpu_slab_take(struct mpu_slab *s, uint64_t n);

/* Any process that maps the slab: its cell is free again. */
void mpu_slab_give_back(struct mpu_slab_shared *s, struct mpu_slab_cell *cell);

/* The largest payload of a cell in a slab of so many bytes; 0: it holds none. */
uint64_t mpu_slab_payload(size_t bytes);

#endif
