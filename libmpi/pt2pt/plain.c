/* SPDX-License-Identifier: MIT */
/* Errors of blocking sends and receives of a predefined type: the usual case, which needs no
 * mpi_p2p as long as nothing fails. */
#include "pt2pt/p2p.h"

__attribute__((cold)) int mpi_plain_fail(const struct mpi_request_kind *kind, const char *call,
                                         struct mpi_comm *c, const struct mpu_request *m)
{
    struct mpi_p2p q;
    mpi_request_init(&q.base, kind, c);
    q.base.error = mpi_p2p_class(m);
    q.m = *m;
    return mpi_request_raise(&q.base, q.base.error, call);
}

__attribute__((cold)) int mpi_send_fail(const char *call, struct mpi_comm *c, int error)
{
    return mpi_plain_fail(&mpi_send_kind, call, c, &(struct mpu_request){.error = error});
}
