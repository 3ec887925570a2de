/* SPDX-License-Identifier: MIT */
/* Messages by the network on chip: the kernel's mailboxes. A rank has one to read from, known by
 * the rank's number in its cluster, and one to write to, with a few mails in its own memory, so
 * that as many messages can be under way at once as the network takes.
 *
 * What comes lands in a cell, of which one is always posted to be read, and rings the bell; without
 * a free one messages stay in the kernel's buffers, and then with their senders: flow control. */
#include <base/assert.h>
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>

#include "request/request.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/transport.h"

#define MAILS_MOST 8

/* Life ----------------------------------------------------------------------------------------- */

static int mails_begin(struct mpu_rank *r)
{
    int n = r->cluster->info.mail_slots;
    r->noc.mails = (uint8_t)(n < MAILS_MOST ? n : MAILS_MOST);
    r->noc.mail = mpu_keep(r, (size_t)r->noc.mails * sizeof *r->noc.mail);
    if (!r->noc.mail)
        return -B_ENOMEM;
    memset(r->noc.mail, 0, (size_t)r->noc.mails * sizeof *r->noc.mail);
    return 0;
}

static int must(int rc, int *id)
{
    if (rc < 0)
        return rc;
    *id = rc;
    return 0;
}

/* Inputs take the number of the rank in its cluster as their port, so that others know it. */
static int begin(struct mpu_rank *r)
{
    int port, rc = mails_begin(r);
    if (rc || (rc = must(k_mailbox_create(r->local), &r->noc.inbox)) ||
        (rc = must(k_portal_create(r->local), &r->noc.portal_in)) ||
        (rc = must(k_mailbox_open(K_ANY, K_ANY), &r->noc.outbox)) ||
        (rc = must(k_portal_open(K_ANY, K_ANY), &r->noc.portal_out)) ||
        (rc = must(k_portal_get_port(r->noc.portal_out), &port)) ||
        (rc = k_ikc_attach(K_MAILBOX, r->noc.inbox, &r->bell)) ||
        (rc = k_ikc_attach(K_MAILBOX, r->noc.outbox, &r->bell)) ||
        (rc = k_ikc_attach(K_PORTAL, r->noc.portal_in, &r->bell)) ||
        (rc = k_ikc_attach(K_PORTAL, r->noc.portal_out, &r->bell)))
        return rc;
    r->noc.port = (uint16_t)port;
    return 0;
}

static void end(struct mpu_rank *r)
{
    k_mailbox_unlink(r->noc.inbox);
    k_portal_unlink(r->noc.portal_in);
    k_mailbox_close(r->noc.outbox);
    k_portal_close(r->noc.portal_out);
}

/* Sending -------------------------------------------------------------------------------------- */

/* A mail that is not under way becomes the next one. One that failed ends the job: its receiver is
 * gone, or never was. */
static bool find(struct mpu_rank *r)
{
    for (int i = 0; i < r->noc.mails; i++) {
        if (++r->noc.next == r->noc.mails)
            r->noc.next = 0;
        const struct k_mail *m = &r->noc.mail[r->noc.next];
        if (k_mail_busy(m))
            continue;
        if (m->result < 0)
            mpu_fail(r, "a message could not be delivered", m->result);
        return true;
    }
    return false;
}

/* Has the kernel ring when a mail is free; false: one is. */
static bool tell(struct mpu_rank *r)
{
    bool all = true;
    for (int i = 0; i < r->noc.mails; i++)
        all &= k_mail_tell(&r->noc.mail[i]);
    return all;
}

static void post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                 size_t n)
{
    struct mpu_endpoint e = r->cluster->endpoint[to];
    struct k_mail *m = &r->noc.mail[r->noc.next];
    struct mpu_wire *header = (struct mpu_wire *)m->data;
    b_assert(!k_mail_busy(m) && n <= MPU_EAGER_MAX);
    *header = *w;
    header->credit = mpu_credit_give(r, to);
    m->size = (uint32_t)(sizeof *w + n);
    m->urgent = mpu_urgent(r, w);
    if (n)
        k_copy(m->data + sizeof *w, payload, n);
    int rc = k_mailbox_post(r->noc.outbox, e.cluster, e.local, m);
    if (rc < 0)
        mpu_fail(r, "cannot write to a rank", rc);
    r->outbox.busy = !find(r) && (tell(r) || !find(r));
}

static bool eager(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload,
                  bool streamed)
{
    (void)streamed; /* none is as short */
    if (!mpu_credit_spend(r, to, 1))
        return false;
    post(r, to, w, payload, w->size);
    return true;
}

static void progress(struct mpu_rank *r)
{
    for (int i = 0; i < r->noc.mails; i++)
        if (!k_mail_busy(&r->noc.mail[i]) && r->noc.mail[i].result < 0)
            mpu_fail(r, "a message could not be delivered", r->noc.mail[i].result);
    if (r->outbox.busy)
        r->outbox.busy = !find(r);
}

static bool idle(struct mpu_rank *r)
{
    for (int i = 0; i < r->noc.mails; i++)
        if (k_mail_tell(&r->noc.mail[i]))
            return false;
    return true;
}

/* Receiving ------------------------------------------------------------------------------------ */

static void listen(struct mpu_rank *r)
{
    if (r->noc.listens || (!r->noc.landing && !(r->noc.landing = mpu_cell_take(r))))
        return;
    int rc = k_mailbox_aread(r->noc.inbox, &r->noc.landing->a.wire, HAL_MAIL_DATA, NULL);
    if (rc < 0)
        mpu_fail(r, "cannot read its mailbox", rc);
    r->noc.listens = true;
}

/* One message. */
static bool take_one(struct mpu_rank *r)
{
    if (!r->noc.listens || k_ikc_test(K_MAILBOX, r->noc.inbox) != 1)
        return false;
    r->noc.listens = false;
    long n = k_ikc_wait(K_MAILBOX, r->noc.inbox, 0);
    if (n < 0)
        mpu_fail(r, "cannot read its mailbox", (int)n);
    struct mpu_cell *cell = r->noc.landing;
    if (!mpu_wire_valid(&cell->a.wire, n, MPU_EAGER_MAX, mpu_ranks(r)) ||
        !mpu_credit_take(r, &cell->a.wire) || cell->a.wire.kind == MPU_MORE ||
        (cell->a.wire.kind == MPU_SLOT && !r->cluster->slots))
        mpu_fail(r, "received a malformed message", B_EPROTO);
    r->noc.landing = NULL;
    listen(r);
    mpu_arrived(r, &cell->a);
    return true;
}

static void take(struct mpu_rank *r)
{
    while (take_one(r)) {
    }
}

const struct mpu_transport mpu_noc = {.begin = begin,
                                      .end = end,
                                      .post = post,
                                      .eager = eager,
                                      .progress = progress,
                                      .idle = idle,
                                      .take = take,
                                      .listen = listen};
