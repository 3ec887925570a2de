/* SPDX-License-Identifier: MIT */
/* Packing and unpacking by plans (type_plan.h). What is whole is moved by loops of evenly spaced
 * runs (type_fast.h); a wanted range may begin and end within an element, which is looked for from
 * the top of the plan down, on each level by division or bisection. */
#include <base/mem.h>

#include "datatype/type_fast.h"
#include "datatype/type_plan.h"

/* Repeated tables of runs are moved run by run through as many elements as fit into this: near
 * enough that the caches keep them until the last run of the table. */
#define NEAR 4096

static void copy(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                 MPI_Aint from_stride, uint64_t blocks, uint64_t bytes)
{
    if (mpi_copy_fast && mpi_copy_fast(to, to_stride, from, from_stride, blocks, bytes))
        return;
    for (; blocks; blocks--, to += to_stride, from += from_stride)
        memcpy(to, from, bytes);
}

/* Data on its way between its places and its packed form. */
struct packing {
    unsigned char *packed; /* where the next byte is, or belongs */
    uint64_t skip, left;   /* bytes of the packed form to pass over, then to move */
    bool unpack;
};

/* `blocks` runs between places from `at` on and packed ones. */
static void move(const struct packing *p, uintptr_t at, MPI_Aint stride, unsigned char *packed,
                 MPI_Aint packed_stride, uint64_t blocks, uint64_t bytes)
{
    if (p->unpack)
        copy((unsigned char *)at, stride, packed, packed_stride, blocks, bytes);
    else
        copy(packed, packed_stride, (const unsigned char *)at, stride, blocks, bytes);
}

/* A run of any length. */
static void move_run(struct packing *p, uintptr_t at, uint64_t bytes)
{
    void *memory = (void *)at, *to = p->unpack ? memory : p->packed,
         *from = p->unpack ? p->packed : memory;
    if (bytes <= B_COPY_SHORT)
        b_copy_short(to, from, bytes);
    else
        memcpy(to, from, bytes);
    p->packed += bytes;
}

static uint64_t run_bytes(const struct mpi_plan *t, MPI_Count i)
{
    return (i + 1 < t->count ? t->run[i + 1].first : t->size) - t->run[i].first;
}

/* What is whole ------------------------------------------------------------------------------- */

static void whole(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Aint stride,
                  uint64_t n);

static void whole_part(struct packing *p, const struct mpi_plan_part *x, uintptr_t at, uint64_t n)
{
    if (x->below) {
        whole(p, x->below, at, x->stride, n);
        return;
    }
    move(p, at, x->stride, p->packed, (MPI_Aint)x->bytes, n, x->bytes);
    p->packed += n * x->bytes;
}

/* The runs first .. last - 1 of a table, of one element. */
static void gather(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Count first,
                   MPI_Count last)
{
    uint64_t n = (uint64_t)(last - first);
    if (mpi_gather_fast && mpi_gather_fast(p->packed, t->run + first, at, n, t->each, p->unpack)) {
        p->packed += n * t->each;
        return;
    }
    for (MPI_Count i = first; i < last; i++)
        move_run(p, at + (uintptr_t)t->run[i].at, run_bytes(t, i));
}

/* n elements, run by run in each of a few of them. */
static void whole_runs(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Aint stride,
                       uint64_t n)
{
    uint64_t most = NEAR / t->size;
    if (most < 4 || n < 4) {
        for (; n; n--, at += (uintptr_t)stride)
            gather(p, t, at, 0, t->count);
        return;
    }
    for (uint64_t some; n; n -= some, at += some * (uintptr_t)stride) {
        some = n < most ? n : most;
        for (MPI_Count i = 0; i < t->count; i++)
            move(p, at + (uintptr_t)t->run[i].at, stride, p->packed + t->run[i].first,
                 (MPI_Aint)t->size, some, run_bytes(t, i));
        p->packed += some * t->size;
    }
}

/* n elements of a plan, `stride` apart. */
static void whole(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Aint stride,
                  uint64_t n)
{
    if (t->kind == MPI_PLAN_RUNS) {
        whole_runs(p, t, at, stride, n);
        return;
    }
    for (; n; n--, at += (uintptr_t)stride)
        for (MPI_Count i = 0; i < t->count; i++)
            whole_part(p, &t->part[i], at + (uintptr_t)t->part[i].at, (uint64_t)t->part[i].count);
}

/* What may begin or end within ---------------------------------------------------------------- */

/* The run, or part, that holds byte `skip` of one element: the last one that begins before. */
static MPI_Count find(const struct mpi_plan *t, uint64_t skip)
{
    bool runs = t->kind == MPI_PLAN_RUNS;
    if (runs && t->each)
        return (MPI_Count)(skip / t->each);
    MPI_Count low = 0, high = t->count;
    while (high - low > 1) {
        MPI_Count middle = low + (high - low) / 2;
        if ((runs ? t->run[middle].first : t->part[middle].first) <= skip)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The wanted bytes of a run, of which there is at least one. */
static void some_of_run(struct packing *p, uintptr_t at, uint64_t bytes)
{
    uint64_t n = bytes - p->skip < p->left ? bytes - p->skip : p->left;
    move_run(p, at + p->skip, n);
    p->skip = 0;
    p->left -= n;
}

static void some_runs(struct packing *p, const struct mpi_plan *t, uintptr_t at)
{
    MPI_Count i = find(t, p->skip);
    p->skip -= t->run[i].first;
    if (p->skip) {
        some_of_run(p, at + (uintptr_t)t->run[i].at, run_bytes(t, i));
        i++;
    }
    if (i == t->count || !p->left)
        return;
    uint64_t end = t->run[i].first + p->left;
    MPI_Count last = end < t->size ? find(t, end) : t->count;
    gather(p, t, at, i, last);
    p->left -= (last < t->count ? t->run[last].first : t->size) - t->run[i].first;
    if (last < t->count && p->left)
        some_of_run(p, at + (uintptr_t)t->run[last].at, run_bytes(t, last));
}

static void part(struct packing *p, const struct mpi_plan_part *x, uintptr_t at);

/* Of one element, some byte of which is wanted. */
static void some(struct packing *p, const struct mpi_plan_part *x, uintptr_t at)
{
    const struct mpi_plan *t = x->below;
    if (!t) {
        some_of_run(p, at, x->bytes);
        return;
    }
    if (t->kind == MPI_PLAN_RUNS) {
        some_runs(p, t, at);
        return;
    }
    MPI_Count i = find(t, p->skip);
    for (p->skip -= t->part[i].first; i < t->count && p->left; i++)
        part(p, &t->part[i], at);
}

/* The wanted bytes of a part, of which there is at least one: the end of an element, whole ones,
 * the begin of one. */
static void part(struct packing *p, const struct mpi_plan_part *x, uintptr_t at)
{
    uint64_t count = (uint64_t)x->count, i = p->skip / x->bytes;
    at += (uintptr_t)x->at + i * (uintptr_t)x->stride;
    p->skip -= i * x->bytes;
    if (p->skip) {
        some(p, x, at);
        at += (uintptr_t)x->stride;
        i++;
    }
    uint64_t n = p->left / x->bytes < count - i ? p->left / x->bytes : count - i;
    whole_part(p, x, at, n);
    p->left -= n * x->bytes;
    if (i + n < count && p->left)
        some(p, x, at + n * (uintptr_t)x->stride);
}

static void pack(const struct mpi_type *t, MPI_Count count, const void *buf, struct packing p)
{
    if (p.left == 0)
        return;
    struct mpi_plan_part x = mpi_plan_elements(t, count, 0);
    part(&p, &x, (uintptr_t)buf);
}

void mpi_type_pack(const struct mpi_type *t, MPI_Count count, const void *buf, uint64_t from,
                   uint64_t n, void *to)
{
    pack(t, count, buf, (struct packing){to, from, n, false});
}

void mpi_type_unpack(const struct mpi_type *t, MPI_Count count, void *buf, uint64_t from,
                     uint64_t n, const void *data)
{
    pack(t, count, buf, (struct packing){(unsigned char *)(uintptr_t)data, from, n, true});
}

/* Through a buffer on the stack where neither side is one run. */
static void copy_bounced(const struct mpi_type *from_type, MPI_Count from_count, const void *from,
                         const struct mpi_type *to_type, MPI_Count to_count, void *to, uint64_t n)
{
    unsigned char bounce[1024];
    for (uint64_t done = 0; done < n;) {
        uint64_t part = n - done < sizeof bounce ? n - done : sizeof bounce;
        mpi_type_pack(from_type, from_count, from, done, part, bounce);
        mpi_type_unpack(to_type, to_count, to, done, part, bounce);
        done += part;
    }
}

uint64_t mpi_type_copy(const struct mpi_type *from_type, MPI_Count from_count, const void *from,
                       const struct mpi_type *to_type, MPI_Count to_count, void *to)
{
    uint64_t n = (uint64_t)from_type->size * (uint64_t)from_count;
    uint64_t room = (uint64_t)to_type->size * (uint64_t)to_count;
    MPI_Aint offset, to_offset;
    if (n > room)
        n = room;
    if (n == 0)
        return 0;
    bool run = mpi_type_run(from_type, from_count, &offset);
    bool to_run = mpi_type_run(to_type, to_count, &to_offset);
    if (run && to_run)
        memcpy((char *)to + to_offset, (const char *)from + offset, n);
    else if (run)
        mpi_type_unpack(to_type, to_count, to, 0, n, (const char *)from + offset);
    else if (to_run)
        mpi_type_pack(from_type, from_count, from, 0, n, (char *)to + to_offset);
    else
        copy_bounced(from_type, from_count, from, to_type, to_count, to, n);
    return n;
}
