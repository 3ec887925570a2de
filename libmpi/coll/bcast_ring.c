/* SPDX-License-Identifier: MIT */
/* Broadcast of much data by messages: each rank gets a part from the root, and all parts go round a
 * ring. */
#include <base/error.h>
#include <mpiutil/machine.h>

#include "coll/forms.h"
#include "coll/round.h"

/* Where ranks share processors the others do not send at the same time, and each step of the ring
 * costs their time slices. */
static bool large(const struct mpi_coll *c)
{
    return c->bytes >= mpi_coll_limit(c, MPU_TUNE_BCAST_PARTS) && c->size > 3 &&
           !mpu_info()->oversubscribed;
}

/* The bytes of part i of as many as there are ranks; `at` is where the message lies as a run. */
static struct mpi_elements part(const struct mpi_coll *c, int i)
{
    uint64_t from = c->bytes * (uint64_t)i / (uint64_t)c->size;
    uint64_t to = c->bytes * (uint64_t)(i + 1) / (uint64_t)c->size;
    return mpi_coll_bytes(c->vector.acc + from, to - from);
}

/* acc: the message as a run of bytes. */
static int as_run(struct mpi_coll *c)
{
    MPI_Aint offset;
    struct mpi_elements d = mpi_coll_whole(&c->recv);
    if (mpi_type_run(d.type, d.count, &offset)) {
        c->vector.acc = (uint8_t *)d.buf + offset;
        return 0;
    }
    c->vector.acc = mpi_coll_temp(c, c->bytes);
    if (!c->vector.acc)
        return -B_ENOMEM;
    if (c->role == MPI_ROLE_ROOT)
        mpi_coll_pack(&d, c->vector.acc);
    return 0;
}

static int give_part(struct mpi_coll *c, int i)
{
    int d = i + 1;
    return mpi_coll_send(c, &c->comm->coll, (d + c->root) % c->size, 0, part(c, d));
}

/* Part d goes from the root to the rank at distance d. */
static int scatter_parts(struct mpi_coll *c, int k)
{
    int d = (c->rank + c->size - c->root) % c->size, rc = MPI_COLL_DONE;
    if (d == 0)
        rc = mpi_coll_window(c, k, c->size - 1, 1, give_part);
    else if (k == 0)
        rc = mpi_coll_more(mpi_coll_recv(c, &c->comm->coll, c->root, 0, part(c, d)));
    return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
}

/* Round k passes on what came in the round before; after size - 1 rounds all have all. */
static int pass_around(struct mpi_coll *c, int k)
{
    int size = c->size, d = (c->rank + size - c->root) % size;
    if (k == size - 1)
        return MPI_COLL_DONE;
    return mpi_coll_shift(c, &c->comm->coll, 1, 1, part(c, (d + size - k) % size),
                          part(c, (d + 2 * size - k - 1) % size));
}

/* A large message is cut in parts, so that all ranks send at the same time and each sends about as
 * much as the message has. */
static int scatter_ring(struct mpi_coll *c, int k)
{
    int rc = k || c->step.phase ? 0 : as_run(c);
    if (rc)
        return rc;
    if (c->step.phase == 0)
        return scatter_parts(c, k);
    rc = pass_around(c, k);
    const struct mpi_elements to = mpi_coll_whole(&c->recv);
    if (rc == MPI_COLL_DONE && c->messages.temps && c->role != MPI_ROLE_ROOT)
        mpi_coll_unpack(c->vector.acc, &to);
    return rc;
}

const struct mpi_coll_algorithm mpi_coll_bcast_ring = {MPI_COLL_NAMED("bcast-scatter-ring"),
                                                       .applies = large, .round = scatter_ring};
