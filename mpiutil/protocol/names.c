/* SPDX-License-Identifier: MIT */
/* Where a rank is follows from the job. The sets that repeat uller-2021 ask the name service all
 * the same, before each message, as the paper's library did (5.7.2): the daemon of the own cluster,
 * which remembers. A machine without services has nobody to ask. */
#include <base/error.h>
#include <base/fmt.h>
#include <svc/name.h>

#include "protocol/protocol.h"

#define NAME    32
#define STARTER 1 /* port of whoever starts and ends the services */

static void name_of(char *text, int rank)
{
    b_fmt(text, NAME, "mpi rank %d", rank);
}

/* Ports that neither ranks nor services nor whoever starts these take are for those who ask: where
 * there is not one for each rank, ranks share them. */
static int askers(const struct mpu_cluster *c)
{
    int left = c->info.mailbox_ports - SVC_SERVICES - STARTER - c->locals;
    return left < c->locals ? left : c->locals;
}

static struct mpu_asker *asker_of(const struct mpu_rank *r)
{
    return &r->cluster->askers[r->local % askers(r->cluster)];
}

/* With the mutex held. */
static int asker_open(struct mpu_asker *a)
{
    int rc = a->ranks ? 0 : svc_client_open(&a->client);
    a->ranks += rc == 0;
    return rc;
}

static void asker_close(struct mpu_asker *a)
{
    if (--a->ranks == 0)
        svc_client_close(&a->client);
}

/* The name is the rank's mailbox. */
static int begin(struct mpu_rank *r)
{
    char name[NAME];
    if (askers(r->cluster) < 1)
        mpu_fail(r,
                 "LWMPI_PROTOCOLS=paper-opt and paper-unopt need a mailbox port in each cluster "
                 "beside those of ranks and services; fewer ranks, or more mailbox_ports",
                 B_ENOMEM);
    struct mpu_asker *a = asker_of(r);
    name_of(name, r->number);
    k_mutex_lock(&a->mutex);
    int rc = asker_open(a);
    if (rc == 0 && (rc = svc_name_link(&a->client, name, r->local, SVC_NO_LIMIT)) != 0)
        asker_close(a);
    k_mutex_unlock(&a->mutex);
    r->life.named = rc == 0;
    return rc == -B_ENOTCONN ? 0 : rc;
}

static void end(struct mpu_rank *r)
{
    char name[NAME];
    if (!r->life.named)
        return;
    struct mpu_asker *a = asker_of(r);
    name_of(name, r->number);
    k_mutex_lock(&a->mutex);
    svc_name_unlink(&a->client, name);
    asker_close(a);
    k_mutex_unlock(&a->mutex);
    r->life.named = false;
}

static void ask(struct mpu_rank *r, int rank)
{
    char name[NAME];
    struct svc_address at;
    struct mpu_endpoint place = r->cluster->endpoint[rank];
    if (!r->life.named)
        return;
    struct mpu_asker *a = asker_of(r);
    name_of(name, rank);
    k_mutex_lock(&a->mutex);
    int rc = svc_name_lookup(&a->client, name, &at);
    k_mutex_unlock(&a->mutex);
    if (rc < 0)
        mpu_fail(r, "cannot look a rank up", rc);
    if (at.node != place.cluster || at.port != place.local)
        mpu_fail(r, "a rank is not where it should be", B_EPROTO);
    k_count("lookups", 1);
}

void mpu_before(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->cluster->set->looks_up)
        r->cluster->set->looks_up->ask(r, q->world);
    if (r->cluster->site && !q->flow)
        q->arrival.site = (uintptr_t)r->cluster->site();
}

const struct mpu_names mpu_names = {askers, begin, end, ask};
