/* SPDX-License-Identifier: MIT */
/* What MPI passes on from the machine below. From any thread of a rank; never wait. */
#ifndef MPIUTIL_MACHINE_H
#define MPIUTIL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/mem.h>
#include <sys/k_info.h>

/* The machine, and the place in it of the calling rank's cluster; `core` is not said. What is of
 * the machine is the same in the whole job. Constant. */
const struct k_info *mpu_info(void);

/* Time since the machine started. */
uint64_t mpu_time_ns(void);

/* Modelled work of the calling rank: see sys/k_info.h. What arrives for the rank meanwhile
 * interrupts it: what is under way goes on, and the rest of the work comes after. In a
 * function that progress itself calls (mpu_set_advance) nothing interrupts. */
void mpu_work(uint64_t cycles);

/* The calling rank has told how much it works; did it ever? */
void mpu_rank_tells_work(void);
bool mpu_rank_works(void);

/* A copy inside the cluster, with its price where time is modelled. */
void mpu_copy(void *dst, const void *src, size_t n);

/* Many of them: time passes for as many as there is room for at once, which is far cheaper to model
 * than as often. A copy that was added is done at the latest by mpu_copy_all. */
enum { MPU_COPIES = 16 };
struct mpu_copies {
    int n;
    struct b_piece piece[MPU_COPIES];
};
static inline void mpu_copies_begin(struct mpu_copies *all)
{
    all->n = 0; /* the pieces are not cleared: there are many, and few calls copy any */
}
void mpu_copy_also(struct mpu_copies *all, void *dst, const void *src, size_t n);
void mpu_copy_all(struct mpu_copies *all);

/* Supplied by the image. Each of n numbers of `bytes` was combined with another: a product, or a
 * sum, comparison or operation on bits. Where time is virtual it takes what the program's own loop
 * would, if it were counted (docs/compute.md); nothing interrupts it. */
enum mpu_numbers { MPU_INTEGERS, MPU_FLOATS, MPU_COMPLEX };
void mpu_combined(enum mpu_numbers numbers, bool product, size_t bytes, uint64_t n);

/* Supplied by the image. The calling rank has moved n bytes in its memory itself, as in packing:
 * where time is virtual it takes what a copy takes for each byte; nothing interrupts it. */
void mpu_moved(uint64_t n);

/* Ends the whole job with `status` (0 .. 255), after printing `why` unless it is NULL. */
_Noreturn void mpu_abort(int status, const char *why);

#endif
