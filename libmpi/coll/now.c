/* SPDX-License-Identifier: MIT */
/* The short way of collectives whose ranks have met in a hall of one cluster before: nothing is
 * made but what the meeting needs. It is the same meeting as in hall.c, so ranks may come by
 * either. */
#include "coll/coll.h"

static void close(struct mpi_process *p, struct mpu_hall *h)
{
    struct mpu_said told;
    mpu_hall_alike(h, &told);
    mpu_hall_release(h, p->rank, &told);
}

/* Arrives, and waits, or closes the meeting with `combine`. An error class, raised. */
static int meet(struct mpi_process *p, struct mpi_comm *c, const struct mpi_coll_algorithm *a,
                const char *call, const struct mpu_said *said)
{
    struct mpu_hall *h = c->hall;
    struct mpu_visit v;
    c->collectives++;
    if (c->group.rank == 0)
        mpu_count(a->counter, 1);
    mpu_doing(p->rank, &(struct mpu_doing){call, c->coll.name, MPU_ANY, MPU_ANY, said->bytes});
    if (mpu_hall_arrive(h, p->rank, said, &v))
        close(p, h);
    else
        mpu_hall_wait(h, p->rank, &v);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    const struct mpu_said *told = mpu_hall_told(h, &v);
    if (told->kind == said->kind && told->bytes == said->bytes)
        return MPI_SUCCESS;
    return mpi_error(c, mpi_hall_differs(said, told), call, "%s: ranks called different operations",
                     a->name);
}

bool mpi_coll_barrier_now(struct mpi_process *p, struct mpi_comm *c, int *rc)
{
    static const struct mpu_said said = {.kind = &mpi_coll_barrier};
    if (c->clusters != 1 || !c->hall || p->algorithm[MPI_CHOICE_BARRIER] || c->hall->traced)
        return false;
    *rc = meet(p, c, &mpi_coll_barrier_hall, "MPI_Barrier", &said);
    return true;
}
