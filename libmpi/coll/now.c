/* SPDX-License-Identifier: MIT */
#include "coll/now.h"

/* What a call is, beside what it says. */
struct call {
    const char *name;
    const struct mpi_coll_algorithm *algorithm;
};

/* Of who closes the meeting. */
static __attribute__((noinline)) void close(struct mpi_process *p, struct mpu_hall *h,
                                            const struct call *call)
{
    struct mpu_said told;
    mpu_hall_alike(h, &told);
    mpu_count(call->algorithm->counter, 1);
    mpu_hall_release(h, p->rank, &told);
    mpu_doing(p->rank, &(struct mpu_doing){0});
}

static __attribute__((noinline)) int differs(struct mpi_comm *c, const struct call *call,
                                             const struct mpu_said *said,
                                             const struct mpu_said *told)
{
    return mpi_error(c, mpi_hall_differs(said, told), call->name,
                     "%s: ranks called different operations", call->algorithm->name);
}

/* After the meeting: an error class, raised. */
static inline int end(struct mpi_comm *c, const struct call *call, const struct mpu_said *said,
                      const struct mpu_visit *v)
{
    const struct mpu_said *told = mpu_hall_told(c->at_once, v);
    if (told->kind == said->kind && told->bytes == said->bytes)
        return MPI_SUCCESS;
    return differs(c, call, said, told);
}

int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c)
{
    static const struct call call = {"MPI_Barrier", &mpi_coll_barrier_hall};
    static const struct mpu_said said = {.kind = &mpi_coll_barrier};
    struct mpu_visit v;
    c->collectives++;
    if (mpu_hall_meet(c->at_once, p->rank, &said, &v, call.name, c->coll.name))
        close(p, c->at_once, &call);
    return end(c, &call, &said, &v);
}
