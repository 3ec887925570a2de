/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <mpiutil/boot.h>

#include "internal/err.h"

/* Context ids: two per communicator. */
enum { CONTEXT_WORLD, CONTEXT_WORLD_COLL, CONTEXT_SELF, CONTEXT_SELF_COLL };

static void comm_make(struct mpi_comm *c, const char *name, uint32_t context, int rank, int size)
{
    c->magic = MPI_IS_COMM;
    c->errhandler = MPI_ERRORS_ARE_FATAL;
    c->p2p = (struct mpu_comm){.context = context, .rank = rank, .size = size, .name = name};
    c->coll = c->p2p;
    c->coll.context = context + 1;
}

static void process_make(struct mpi_process *p, struct mpu_rank *r)
{
    int me = mpu_rank_number(r);
    comm_make(&p->world, "MPI_COMM_WORLD", CONTEXT_WORLD, me, mpu_world_size(r));
    comm_make(&p->self, "MPI_COMM_SELF", CONTEXT_SELF, 0, 1);
    p->self.me[0] = me;
    p->self.p2p.world = p->self.coll.world = p->self.me;
    p->empty = (struct mpi_group){.magic = MPI_IS_GROUP, .rank = MPI_UNDEFINED};
}

/* A rank may be called twice only to be told so. */
static int may_init(const char *call)
{
    static const char *const why[] = {[MPI_INITIALIZED] = "MPI is initialized already",
                                      [MPI_FINALIZED] = "called after MPI_Finalize"};
    enum mpi_phase phase = mpi_phase();
    if (phase == MPI_NOT_INITIALIZED)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_OTHER, call, "%s", why[phase]);
}

int mpi_init(const char *call, int thread_level)
{
    int rc = may_init(call);
    if (rc)
        return rc;
    if (!mpu_self() && (rc = mpu_attach()))
        return mpi_error_below(NULL, rc, call);
    struct mpu_rank *r = mpu_self();
    struct mpi_process *p = mpu_alloc(r, sizeof *p);
    if (!p)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    *p = (struct mpi_process){.rank = r, .thread_level = thread_level};
    process_make(p, r);
    mpu_rank_set_user(r, p);
    mpu_doing(r, &(struct mpu_doing){.call = call});
    rc = mpu_start(r);
    mpu_doing(r, &(struct mpu_doing){0});
    if (rc == -B_ENOTCONN || rc == -B_EIO)
        return mpi_error(NULL, MPI_ERR_OTHER, call, "a rank of the job ended without calling it");
    if (rc)
        return mpi_error_below(NULL, rc, call);
    p->phase = MPI_INITIALIZED;
    return MPI_SUCCESS;
}

int mpi_fini(const char *call)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    mpu_doing(p->rank, &(struct mpu_doing){.call = call});
    mpu_stop(p->rank, &p->world.coll);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    p->phase = MPI_FINALIZED;
    return MPI_SUCCESS;
}
