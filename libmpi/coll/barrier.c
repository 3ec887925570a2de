/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Barrier = PMPI_Barrier

int PMPI_Barrier(MPI_Comm comm)
{
    struct mpi_process *p = mpi_running("MPI_Barrier");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Barrier", comm, &c);
    if (rc)
        return rc;
    mpu_doing(p->rank, &(struct mpu_doing){"MPI_Barrier", c->p2p.name, MPU_ANY, MPU_ANY, 0});
    mpu_barrier(p->rank, &c->coll);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    return MPI_SUCCESS;
}
