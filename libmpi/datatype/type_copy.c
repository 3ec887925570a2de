/* SPDX-License-Identifier: MIT */
/* Packing and unpacking by plans (type_plan.h). What is whole is moved by loops of runs of one
 * length (type_fast.h); a wanted range may begin and end within an element, which is looked for
 * from the top of the plan down, on each level by division or bisection. */
#include <base/mem.h>

#include "datatype/type_fast.h"
#include "datatype/type_plan.h"

/* Repeated tables of runs are moved run by run through as many elements as fit into this: near
 * enough that the caches keep them until the last run of the table. */
#define NEAR 8192

static void copy_any(const struct mpi_grid *g)
{
    for (uint64_t row = 0; row < g->rows; row++)
        for (uint64_t i = 0; i < g->runs; i++)
            memcpy(g->to + (MPI_Aint)row * g->to_step + (MPI_Aint)i * g->to_stride,
                   g->from + (MPI_Aint)row * g->from_step + (MPI_Aint)i * g->from_stride, g->bytes);
}

/* bytes 0: of runs that differ in length. */
static const struct mpi_copy_loops *loops_for(uint64_t bytes)
{
    return bytes && mpi_copy_loops ? mpi_copy_loops(bytes) : NULL;
}

static mpi_copy_fn *copy_for(uint64_t bytes)
{
    const struct mpi_copy_loops *loops = loops_for(bytes);
    return loops ? loops->copy : copy_any;
}

/* Data on its way between its places and its packed form. */
struct packing {
    unsigned char *packed; /* where the next byte is, or belongs */
    uint64_t skip, left;   /* bytes of the packed form to pass over, then to move */
    bool unpack;
};

/* Rows of runs between places from `at` on and packed ones. */
static inline void move(const struct packing *p, mpi_copy_fn *copy, uintptr_t at, MPI_Aint stride,
                        MPI_Aint step, unsigned char *packed, uint64_t packed_stride, uint64_t rows,
                        uint64_t runs, uint64_t bytes)
{
    MPI_Aint packed_step = (MPI_Aint)(runs * packed_stride);
    unsigned char *memory = (unsigned char *)at;
    if (p->unpack)
        copy(&(struct mpi_grid){memory, packed, stride, (MPI_Aint)packed_stride, step, packed_step,
                                rows, runs, bytes});
    else
        copy(&(struct mpi_grid){packed, memory, (MPI_Aint)packed_stride, stride, packed_step, step,
                                rows, runs, bytes});
}

/* A run of any length. */
static inline void move_run(struct packing *p, uintptr_t at, uint64_t bytes)
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
    return t->each ? t->each : t->first[i + 1] - t->first[i];
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
    if (n == 1) {
        move_run(p, at, x->bytes);
        return;
    }
    move(p, copy_for(x->bytes), at, x->stride, 0, p->packed, x->bytes, 1, n, x->bytes);
    p->packed += n * x->bytes;
}

/* The runs first .. last - 1 of a table, of one element. */
static void gather(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Count first,
                   MPI_Count last)
{
    const struct mpi_copy_loops *loops = loops_for(t->each);
    if (loops) {
        uint64_t n = (uint64_t)(last - first);
        (p->unpack ? loops->scatter : loops->gather)(p->packed, t->at + first, at, n, t->each);
        p->packed += n * t->each;
        return;
    }
    struct packing here = *p;
    for (MPI_Count i = first; i < last; i++)
        move_run(&here, at + (uintptr_t)t->at[i], run_bytes(t, i));
    p->packed = here.packed;
}

/* n elements, run by run in each of a few of them. */
static void whole_runs(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Aint stride,
                       uint64_t n)
{
    uint64_t most = NEAR / t->size & ~(uint64_t)3;
    if (n < 4 || !most) {
        for (; n; n--, at += (uintptr_t)stride)
            gather(p, t, at, 0, t->count);
        return;
    }
    mpi_copy_fn *copy = copy_for(t->each);
    for (uint64_t some; n; n -= some, at += some * (uintptr_t)stride) {
        some = n < most ? n : most;
        for (MPI_Count i = 0; i < t->count; i++) {
            uint64_t bytes = run_bytes(t, i);
            move(p, t->each ? copy : copy_for(bytes), at + (uintptr_t)t->at[i], stride, 0,
                 p->packed + mpi_plan_before(t, i), t->size, 1, some, bytes);
        }
        p->packed += some * t->size;
    }
}

/* n times the runs of x. */
static void whole_loop(struct packing *p, const struct mpi_plan_part *x, uintptr_t at,
                       MPI_Aint stride, uint64_t n)
{
    uint64_t count = (uint64_t)x->count, bytes = x->bytes;
    move(p, copy_for(bytes), at + (uintptr_t)x->at, x->stride, stride, p->packed, bytes, n, count,
         bytes);
    p->packed += n * count * bytes;
}

/* n elements of a plan, `stride` apart. */
static void whole(struct packing *p, const struct mpi_plan *t, uintptr_t at, MPI_Aint stride,
                  uint64_t n)
{
    if (t->kind == MPI_PLAN_RUNS) {
        whole_runs(p, t, at, stride, n);
        return;
    }
    if (t->kind == MPI_PLAN_LOOP && !t->part->below) {
        whole_loop(p, t->part, at, stride, n);
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
        if ((runs ? t->first[middle] : t->part[middle].first) <= skip)
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
    p->skip -= mpi_plan_before(t, i);
    if (p->skip) {
        some_of_run(p, at + (uintptr_t)t->at[i], run_bytes(t, i));
        i++;
    }
    if (i == t->count || !p->left)
        return;
    uint64_t begin = mpi_plan_before(t, i), end = begin + p->left;
    MPI_Count last = end < t->size ? find(t, end) : t->count;
    gather(p, t, at, i, last);
    p->left -= mpi_plan_before(t, last) - begin;
    if (last < t->count && p->left)
        some_of_run(p, at + (uintptr_t)t->at[last], run_bytes(t, last));
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
    mpu_moved(p.left);
    if (p.left == x.bytes * (uint64_t)x.count)
        whole_part(&p, &x, (uintptr_t)buf + (uintptr_t)x.at, (uint64_t)x.count);
    else
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
        mpi_move((char *)to + to_offset, (const char *)from + offset, n);
    else if (run)
        mpi_type_unpack(to_type, to_count, to, 0, n, (const char *)from + offset);
    else if (to_run)
        mpi_type_pack(from_type, from_count, from, 0, n, (char *)to + to_offset);
    else
        copy_bounced(from_type, from_count, from, to_type, to_count, to, n);
    return n;
}
