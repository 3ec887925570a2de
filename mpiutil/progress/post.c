/* SPDX-License-Identifier: MIT */
/* A rank's way out of its cluster: a few mails in its own memory, so that as many messages can be
 * under way at once as the network takes. What a rank sends to another one arrives in order. */
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_mailbox.h>

#include "progress/credit.h"
#include "progress/post.h"
#include "progress/progress.h"

#define MAILS_MOST 8

/* Kinds that their reader must see to although it computes: others wait for what it does then. */
#define URGENT                                                                                     \
    (1u << MPU_RTS | 1u << MPU_ALLOW | 1u << MPU_WANT | 1u << MPU_FOUND | 1u << MPU_REFUSED |      \
     1u << MPU_OVER)
_Static_assert(MPU_KINDS <= 32, "a bit for each kind");

int mpu_mails_init(struct mpu_rank *r)
{
    int n = r->cluster->info.mail_slots;
    r->mails = n < MAILS_MOST ? n : MAILS_MOST;
    r->mail = mpu_keep(r, (size_t)r->mails * sizeof *r->mail);
    if (!r->mail)
        return -B_ENOMEM;
    memset(r->mail, 0, (size_t)r->mails * sizeof *r->mail);
    return 0;
}

/* A mail that is not under way becomes the next one. One that failed ends the job: its receiver is
 * gone, or never was. */
static bool find(struct mpu_rank *r)
{
    for (int i = 0; i < r->mails; i++) {
        if (++r->mail_next == r->mails)
            r->mail_next = 0;
        const struct k_mail *m = &r->mail[r->mail_next];
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
    for (int i = 0; i < r->mails; i++)
        all &= k_mail_tell(&r->mail[i]);
    return all;
}

void mpu_post(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *payload, size_t n)
{
    struct svc_place place = mpu_place_of(r, to);
    struct k_mail *m = &r->mail[r->mail_next];
    struct mpu_wire *header = (struct mpu_wire *)m->data;
    *header = *w;
    header->credit = mpu_credit_give(r, to);
    m->size = (uint32_t)(sizeof *w + n);
    m->urgent = r->hurries || (URGENT >> w->kind & 1);
    if (n)
        k_copy(m->data + sizeof *w, payload, n);
    int rc = k_mailbox_post(r->outbox, place.cluster, place.local, m);
    if (rc < 0)
        mpu_fail(r, "cannot write to a rank", rc);
    r->outbox_busy = !find(r) && (tell(r) || !find(r));
}

void mpu_post_progress(struct mpu_rank *r)
{
    for (int i = 0; i < r->mails; i++)
        if (!k_mail_busy(&r->mail[i]) && r->mail[i].result < 0)
            mpu_fail(r, "a message could not be delivered", r->mail[i].result);
    if (r->outbox_busy)
        r->outbox_busy = !find(r);
}

bool mpu_post_done(struct mpu_rank *r)
{
    for (int i = 0; i < r->mails; i++)
        if (k_mail_tell(&r->mail[i]))
            return false;
    return true;
}
