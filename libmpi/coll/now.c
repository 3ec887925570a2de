/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "coll/now.h"

/* What each operation is. */
struct operation {
    const struct mpi_coll_algorithm *algorithm;
    const struct mpi_coll_kind *kind;
};

/* Of who closes the meeting. v: what is to be reduced, or NULL. */
static __attribute__((noinline)) void close(struct mpi_process *p, struct mpu_hall *h,
                                            const struct operation *o, const struct mpi_reduced *v)
{
    struct mpu_said told;
    if (mpu_hall_alike(h, &told) && v)
        mpi_hall_combine(h, v);
    mpu_count(o->algorithm->counter, 1);
    mpu_hall_release(h, p->rank, &told);
    mpu_doing(p->rank, &(struct mpu_doing){0});
}

static __attribute__((noinline)) int differs(struct mpi_comm *c, const struct operation *o,
                                             const char *call, const struct mpu_said *said,
                                             const struct mpu_said *told)
{
    return mpi_coll_raise(c, mpi_hall_differs(said, told), call, o->algorithm);
}

/* The result; NULL: none, *rc is an error class, raised. */
static inline const uint8_t *meet(struct mpi_process *p, struct mpi_comm *c,
                                  const struct operation *o, const char *call,
                                  const struct mpu_said *said, const struct mpi_reduced *reduced,
                                  int *rc)
{
    struct mpu_hall *h = c->at_once;
    struct mpu_visit v;
    c->collectives++;
    if (mpu_hall_meet(h, p->rank, said, &v, call, c->coll.name))
        close(p, h, o, reduced);
    const struct mpu_said *told = mpu_hall_told(h, &v);
    if (told->kind == said->kind && told->bytes == said->bytes) {
        *rc = MPI_SUCCESS;
        return mpu_hall_result(h, &v);
    }
    *rc = differs(c, o, call, said, told);
    return NULL;
}

int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c)
{
    static const struct operation o = {&mpi_coll_barrier_hall, &mpi_coll_barrier};
    static const struct mpu_said said = {.kind = &mpi_coll_barrier};
    int rc;
    meet(p, c, &o, "MPI_Barrier", &said, NULL, &rc);
    return rc;
}

/* Some elements of a predefined type, at most so many bytes. */
static inline bool few(struct mpi_reduced *v, const struct mpi_small *a, uint64_t most)
{
    v->type = mpi_type_of(a->type);
    if (!v->type || !v->type->handle || v->type->kind != MPI_KIND_BASIC)
        return false;
    v->count = a->count;
    v->bytes = (uint64_t)a->count * (uint64_t)v->type->size;
    return a->count > 0 && (uint64_t)a->count <= most && v->bytes <= most;
}

static inline bool address(const void *buf)
{
    return (uintptr_t)buf > (uintptr_t)MPI_BUFFER_AUTOMATIC;
}

static inline bool member(const struct mpi_comm *c, int root)
{
    return (unsigned int)root < (unsigned int)c->group.size;
}

bool mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                       int *rc)
{
    static const struct operation o = {&mpi_coll_bcast_hall, &mpi_coll_bcast};
    struct mpi_reduced v;
    if (!few(&v, a, MPU_HALL_BYTES) || !address(a->out) || !member(c, a->root))
        return false;
    bool gives = c->group.rank == a->root;
    if (gives)
        memcpy(mpu_hall_next_result(c->at_once), a->out, v.bytes);
    struct mpu_said said = {o.kind, v.bytes, mpi_hall_terms(a->root, NULL)};
    const uint8_t *result = meet(p, c, &o, a->call, &said, NULL, rc);
    if (result && !gives)
        memcpy(a->out, result, v.bytes);
    return true;
}

/* out: NULL: the rank gets no result. */
static inline bool reduce(struct mpi_process *p, struct mpi_comm *c, const struct operation *o,
                          const struct mpi_small *a, void *out, int *rc)
{
    struct mpi_reduced v;
    bool in_place = a->in == MPI_IN_PLACE && out;
    const void *in = in_place ? out : a->in;
    if (!few(&v, a, MPU_HALL_OPERAND) || !address(in) || (out && !address(out)) ||
        (!in_place && in == out))
        return false;
    v.op = mpi_op_predefined(a->op, v.type);
    if (!v.op)
        return false;
    memcpy(mpu_hall_operand(c->at_once, p->rank, v.bytes), in, v.bytes);
    struct mpu_said said = {o->kind, v.bytes, mpi_hall_terms(a->root, v.op)};
    const uint8_t *result = meet(p, c, o, a->call, &said, &v, rc);
    if (result && out)
        memcpy(out, result, v.bytes);
    return true;
}

bool mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                        int *rc)
{
    static const struct operation o = {&mpi_coll_reduce_hall, &mpi_coll_reduce};
    bool root = c->group.rank == a->root;
    return member(c, a->root) && (!root || a->out) && reduce(p, c, &o, a, root ? a->out : NULL, rc);
}

bool mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                           int *rc)
{
    static const struct operation o = {&mpi_coll_allreduce_hall, &mpi_coll_allreduce};
    return a->out && reduce(p, c, &o, a, a->out, rc);
}
