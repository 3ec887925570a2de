/* SPDX-License-Identifier: MIT */
/* A rank's own state, from before its first call to its first message. */
#include <stddef.h>

#include <base/fmt.h>
#include <base/mem.h>
#include <sys/k_thread.h>

#include "boot/boot.h"
#include "transport/cell.h"
#include "transport/lane.h"
#include "transport/transport.h"

static void number_or_any(char *text, size_t size, int n)
{
    if (n < 0)
        b_fmt(text, size, "%s", n == MPU_ALL ? "all" : "any");
    else
        b_fmt(text, size, "%d", n);
}

/* "rank 3: MPI_Recv, peer 0, tag any, 16 bytes, MPI_COMM_WORLD" */
static void describe(const struct k_bell *b, char *text, size_t size)
{
    const struct mpu_rank *r =
        (const struct mpu_rank *)((const uint8_t *)b - offsetof(struct mpu_rank, bell));
    const struct mpu_doing *d = &r->doing;
    char peer[16], tag[16];
    number_or_any(peer, sizeof peer, d->peer);
    number_or_any(tag, sizeof tag, d->tag);
    if (d->call && d->comm)
        b_fmt(text, size, "rank %d: %s, peer %s, tag %s, %lu bytes, %s", r->number, d->call, peer,
              tag, (unsigned long)d->bytes, d->comm->name);
    else
        b_fmt(text, size, "rank %d: %s", r->number, d->call ? d->call : "between calls");
}

int mpu_rank_enter(int rank)
{
    struct mpu_cluster *c = mpu_cluster();
    int local = c->endpoint[rank].local;
    struct mpu_rank *r = &c->ranks[local];
    r->number = rank;
    r->local = local;
    memcpy(r->tune, c->tune, sizeof r->tune);
    mpu_match_init(&r->match);
    r->outbox.end = &r->outbox.first;
    r->rendezvous.matched_end = &r->rendezvous.matched;
    r->replies.end = &r->replies.first;
    r->rendezvous.allowed_end = &r->rendezvous.allowed;
    struct mpu_lane *lane = c->cores[r->core].lane;
    int rc =
        lane ? k_bell_watch(&r->bell, "MPI", &lane->ring->watch) : k_bell_init(&r->bell, "MPI");
    r->bell.describe = describe;
    if (!rc && c->transport && !(rc = mpu_cells_begin(r)))
        rc = c->transport->begin(r);
    if (rc)
        return rc;
    mpu_land(r);
    k_thread_local_set(r);
    return 0;
}
