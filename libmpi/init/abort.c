/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>
#include <mpiutil/machine.h>

#include "core/check.h"

#pragma weak MPI_Abort = PMPI_Abort

/* Ends the whole job, whatever the communicator: its ranks cannot go on without the others. */
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    struct mpi_process *p = mpi_running("MPI_Abort");
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, "MPI_Abort", comm, &c);
    if (rc)
        return rc;
    char line[120];
    b_fmt(line, sizeof line, "rank %d called MPI_Abort(%s, %d)", mpu_rank_number(p->rank),
          c->p2p.name, errorcode);
    int status = errorcode & 0xff;
    mpu_abort(status == 0 && errorcode != 0 ? 1 : status, line);
}
