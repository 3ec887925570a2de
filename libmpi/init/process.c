/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <mpiutil/boot.h>

#include "coll/checker.h"
#include "core/attr.h"
#include "comm/comm.h"
#include "info/info.h"

static int process_make(struct mpi_process *p, struct mpu_rank *r)
{
    *p = (struct mpi_process){.rank = r};
    int me = mpu_rank_number(r);
    bool beside = me >= mpu_world_size(r);
    struct mpi_group world = {
        .magic = MPI_IS_GROUP, .size = mpu_world_size(r), .rank = me, .world = NULL};
    struct mpi_ranks *only_me = mpi_ranks_new(p, 1);
    if (!only_me)
        return -B_ENOMEM;
    only_me->world[0] = me;
    mpi_comm_init(&p->self, MPI_ID_SELF, "MPI_COMM_SELF", mpi_group_of(p, only_me, 1), NULL);
    if (beside) /* the rank beside the world is a world of its own */
        world = mpi_group_share(&p->self.group);
    mpi_comm_init(&p->world, MPI_ID_WORLD, "MPI_COMM_WORLD", world, NULL);
    p->chip = (struct mpi_group){.magic = MPI_IS_GROUP, .size = mpu_ranks(r), .rank = me};
    /* Not on that of the collectives, where leaders of clusters have numbers of their own: the last
     * message of who ends would be taken for one of a leader who is late to the first of them. */
    p->everyone = p->world.coll;
    p->everyone.context = MPI_ID_WORLD * MPI_CONTEXTS + MPI_CONTEXT_LOCAL;
    p->everyone.rank = me;
    p->everyone.size = p->chip.size;
    p->everyone.world = NULL;
    p->empty = (struct mpi_group){.magic = MPI_IS_GROUP, .rank = MPI_UNDEFINED};
    p->serial = MPI_ID_FIRST;
    p->last_code = MPI_ERR_LASTCODE;
    p->file_errhandler = MPI_ERRORS_RETURN;
    return 0;
}

struct mpi_process *mpi_process_for(const char *call)
{
    struct mpi_process *p = mpi_process();
    if (p)
        return p;
    if (mpu_thread_is_foreign())
        return mpi_refuse(call, MPI_INITIALIZED);
    int rc = mpu_self() ? 0 : mpu_attach();
    if (!rc) {
        struct mpu_rank *r = mpu_self();
        p = mpu_keep(r, sizeof *p);
        rc = p ? process_make(p, r) : -B_ENOMEM;
        if (!rc) {
            mpu_rank_set_user(r, p);
            return p;
        }
    }
    mpi_error_below(NULL, rc, call);
    return NULL;
}

/* A rank may be called twice only to be told so. */
static int may_init(const char *call)
{
    enum mpi_phase phase = mpi_phase();
    if (phase == MPI_NOT_INITIALIZED)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_OTHER, call,
                     phase == MPI_FINALIZED ? "called after MPI_Finalize"
                                            : "MPI is initialized already");
}

/* The checking layer, if it is linked and wanted. */
static int check(struct mpi_process *p, const char *call)
{
    int rc = 0;
    if (mpi_checker_install && *mpu_tune(p->rank, MPU_TUNE_CHECK))
        rc = mpi_checker_install(p);
    return rc ? mpi_error_below(NULL, rc, call) : MPI_SUCCESS;
}

int mpi_start(struct mpi_process *p, const char *call)
{
    if (p->stopped)
        return mpi_error(NULL, MPI_ERR_OTHER, call, "MPI_Finalize was the last use of MPI");
    if (p->started) {
        mpu_let_end(p->rank, NULL);
        return MPI_SUCCESS;
    }
    mpu_doing(p->rank, &(struct mpu_doing){.call = call, .peer = MPU_ALL});
    int rc = mpu_start(p->rank);
    mpu_did(p->rank);
    if (rc == -B_ENOTCONN || rc == -B_EIO)
        return mpi_error(NULL, MPI_ERR_OTHER, call, "a rank of the job ended without calling it");
    if (rc)
        return mpi_error_below(NULL, rc, call);
    p->started = true;
    return check(p, call);
}

int mpi_thread_level(struct mpi_process *p, int required)
{
    static const int levels[] = {[MPU_THREADS_NONE] = MPI_THREAD_SINGLE,
                                 [MPU_THREADS_OTHERS] = MPI_THREAD_FUNNELED,
                                 [MPU_THREADS_TURNS] = MPI_THREAD_SERIALIZED,
                                 [MPU_THREADS_MANY] = MPI_THREAD_MULTIPLE};
    enum mpu_threads wanted = MPU_THREADS_NONE;
    while (wanted < MPU_THREADS_MANY && levels[wanted] < required)
        wanted++;
    return levels[mpu_threads_allow(p->rank, wanted)];
}

int mpi_init(const char *call, int thread_level, int argc, char **argv)
{
    int rc = may_init(call);
    if (rc)
        return rc;
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    if ((rc = mpi_start(p, call)))
        return rc;
    p->thread_level = mpi_thread_level(p, thread_level);
    mpi_enter(p, MPI_INITIALIZED, 0);
    return mpi_keep_arguments(p, call, argc, argv);
}

int mpi_fini(const char *call)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    if (p->phase != MPI_INITIALIZED) { /* it has sessions */
        mpi_refuse(call, p->phase);
        return MPI_ERR_OTHER;
    }
    int rc = mpi_attrs_delete(p, MPI_COMM_SELF);
    if (rc || (rc = mpi_attrs_delete(p, MPI_COMM_WORLD)))
        return mpi_error(NULL, rc, call, "a function that deletes an attribute failed");
    mpi_enter(p, MPI_FINALIZED, 0);
    if (p->used_sessions) { /* and there may be more of them */
        mpu_let_end(p->rank, p->sessions ? NULL : &p->everyone);
        return MPI_SUCCESS;
    }
    p->stopped = true;
    mpu_stop(p->rank, &p->everyone, call);
    return MPI_SUCCESS;
}

void mpi_enter(struct mpi_process *p, enum mpi_phase phase, int more)
{
    p->phase = phase;
    atomic_store_explicit(&mpu_public()->state, p->thread_level | (int)phase | more,
                          memory_order_release);
}

int mpi_public(int bits)
{
    return atomic_load_explicit(&mpu_public()->state, memory_order_acquire) & bits;
}

enum mpi_phase mpi_phase(void)
{
    return mpu_gone() ? MPI_FINALIZED : (enum mpi_phase)mpi_public(MPI_PUBLIC_PHASE);
}

bool mpi_initialized(const char *call)
{
    return mpi_phase() == MPI_INITIALIZED || mpi_running(call);
}
