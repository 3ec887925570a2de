/* SPDX-License-Identifier: MIT */
/* How a rank stands, in MPI's words. Static programs are made for size and have none of this: their
 * reports tell what each thread waits for. */
#include <base/fmt.h>
#include <hal/site.h>
#include <mpi_stand.h>
#include <mpiutil/message.h>
#include <mpiutil/stand.h>

#include <process/image.h>

static void name_number(char *text, size_t size, int n)
{
    if (n == MPU_ANY)
        b_fmt(text, size, "any");
    else
        b_fmt(text, size, "%d", n);
}

/* "peer 0, tag any, 16 bytes, MPI_COMM_WORLD" */
static void tell_about(const struct mpu_stand *m, struct hal_stand *s)
{
    const struct mpu_doing *d = &m->doing;
    const char *on = d->comm ? d->comm->name : "";
    char peer[16], tag[16];
    name_number(peer, sizeof peer, d->peer);
    name_number(tag, sizeof tag, d->tag);
    if (d->peer == MPU_ALL)
        b_fmt(s->about, sizeof s->about, "%s", on);
    else if (d->tag == MPU_ALL)
        b_fmt(s->about, sizeof s->about, "rank %s", peer);
    else if (d->comm && d->asks)
        b_fmt(s->about, sizeof s->about, "rank %s, tag %s, %s", peer, tag, on);
    else if (d->comm)
        b_fmt(s->about, sizeof s->about, "peer %s, tag %s, %lu bytes, %s", peer, tag,
              (unsigned long)d->bytes, on);
    else
        b_fmt(s->about, sizeof s->about, "rank %s, tag %s", peer, tag);
}

static void tell_near(const struct mpu_stand *m, struct hal_stand *s)
{
    char source[16], tag[16];
    name_number(source, sizeof source, m->asked_source);
    name_number(tag, sizeof tag, m->asked_tag);
    if (m->near_elsewhere)
        b_fmt(s->near, sizeof s->near, "rank %d sent tag %d to rank %d on another communicator",
              m->near_source, m->near_tag, s->rank);
    else
        b_fmt(s->near, sizeof s->near,
              "rank %d sent tag %d to rank %d, which asked for rank %s, tag %s", m->near_source,
              m->near_tag, s->rank, source, tag);
}

/* "rank 0 sent rank 1 a message of tag 2, 4096 bytes, MPI_COMM_WORLD". Those of collectives have
 * tags that no program knows. */
static void tell_unreceived(const struct mpu_cluster *c, const struct mpu_request *q, bool more,
                            struct hal_stand *s)
{
    const struct mpu_comm *comm = mpi_stand_comm(c, s->rank, q->context);
    char tag[24] = "of a collective";
    if (q->context % MPU_CONTEXTS == MPU_CONTEXT_PROGRAM)
        b_fmt(tag, sizeof tag, "of tag %d", q->tag);
    b_fmt(s->unreceived, sizeof s->unreceived, "rank %d sent rank %d a message %s, %lu bytes, %s%s",
          s->rank, q->world, tag, (unsigned long)q->size,
          comm ? comm->name : "a communicator since freed", more ? ", and others" : "");
    s->sent = mpu_stand_site(q);
}

/* The message that it waits for in the end of MPI, or where it waits for requests; is it a send? */
static void find_unreceived(const struct mpu_cluster *c, struct mpu_stand *m, struct hal_stand *s)
{
    const struct mpu_request *q = m->unreceived;
    if (!q && m->doing.call && !m->doing.asks)
        q = mpi_stand_message(c, s->rank);
    if (!q || !mpu_stand_sends(q))
        return;
    m->peer = q->world;
    tell_unreceived(c, q, m->unreceived_more, s);
}

const struct mpu_doing *image_rank_doing(const void *local, int rank)
{
    return mpu_stand_doing(local, rank);
}

void image_rank_sites(void *local)
{
    mpu_stand_sites(local, hal_site_caller);
}

static void add_member(void *arg, int world)
{
    struct hal_stand *s = arg;
    if (world < HAL_STAND_RANKS)
        s->members[world / 64] |= UINT64_C(1) << world % 64;
}

void image_rank_stands(const void *local, int rank, struct hal_stand *s)
{
    static const enum hal_wait waits[] = {HAL_WAIT_ONE, HAL_WAIT_ANY, HAL_WAIT_ALL};
    const struct mpu_cluster *c = local;
    struct mpu_stand m;
    mpu_stand(c, rank, &m);
    if (!m.doing.call)
        return;
    if (m.doing.asks) /* it may have freed it since it asked */
        m.doing.comm = mpi_stand_comm(c, rank, m.doing.context);
    find_unreceived(c, &m, s);
    if (m.slots)
        b_fmt(s->lacks, sizeof s->lacks,
              "rank %d waits for one of the %d slots that its cluster has with "
              "LWMPI_PROTOCOLS=paper-opt, all taken by messages that nobody receives yet; "
              "LWMPI_PROTOCOLS=adaptive needs none",
              s->rank, m.slots);
    s->wait = waits[m.peer >= 0 ? 0 : -m.peer];
    s->asks = m.doing.asks;
    s->full = m.full;
    s->peer = m.peer;
    s->context = m.doing.comm   ? m.doing.comm->context
                 : m.doing.asks ? m.doing.context
                                : UINT32_MAX; /* of all ranks, as MPI_Finalize */
    if (s->wait == HAL_WAIT_ALL && m.doing.comm)
        s->number = mpi_stand_collectives(c, rank, s->context);
    b_fmt(s->call, sizeof s->call, "%s", m.doing.call);
    tell_about(&m, s);
    if (m.near)
        tell_near(&m, s);
    if (m.doing.asks || !mpi_stand_one_of(c, rank, add_member, s))
        for (int i = 0, w; (w = mpu_stand_member(c, &m, i)) >= 0; i++)
            add_member(s, w);
}
