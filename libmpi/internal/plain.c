/* SPDX-License-Identifier: MIT */
/* Blocking calls that most programs mostly make need no request of this room. */
#include "internal/p2p.h"

void mpi_plain_wait(struct mpi_process *p, const char *call, const struct mpi_comm *c, int peer,
                    int tag, struct mpu_request *m)
{
    mpu_doing(p->rank, &(struct mpu_doing){call, c->p2p.name, peer, tag, m->size});
    mpu_wait(m);
    mpu_doing(p->rank, &(struct mpu_doing){0});
}

int mpi_plain_fail(const struct mpi_request_kind *kind, const char *call, struct mpi_comm *c,
                   const struct mpu_request *m)
{
    struct mpi_p2p q;
    mpi_request_init(&q.base, kind, c);
    q.base.error = mpi_p2p_class(m);
    q.m = *m;
    return mpi_request_raise(&q.base, q.base.error, call);
}
