/* SPDX-License-Identifier: MIT */
#include <base/assert.h>

#include "request/request.h"
#include "transport/credit.h"
#include "transport/transport.h"

#define TELL_MOST 128 /* more than this is told at once; what a header holds is 255 */

int mpu_credit_window(const struct svc_job *job, int locals, size_t cells, int least, int most)
{
    size_t window = cells / ((size_t)svc_spawn_total(job) * (size_t)(locals ? locals : 1));
    return window < (size_t)least ? least : window > (size_t)most ? most : (int)window;
}

bool mpu_credit_spend(struct mpu_rank *r, int to, int n)
{
    b_assert(n > 0 && to != r->number);
    if (r->credit.peers[to].window + n > r->cluster->window)
        return false;
    r->credit.peers[to].window += n;
    return true;
}

bool mpu_credit_take(struct mpu_rank *r, const struct mpu_wire *w)
{
    struct mpu_peer *p = &r->credit.peers[w->from];
    if (w->credit > p->window)
        return false;
    p->window -= w->credit;
    return true;
}

/* More than half a window is told by a message of its own; less waits for one that goes there. Of
 * the smallest window half is what a message in two pieces takes, and ranks that send each other
 * one in turn need no others. */
static bool enough(const struct mpu_rank *r, const struct mpu_peer *p)
{
    return 2 * p->owed > r->cluster->window || p->owed >= TELL_MOST;
}

static void tell(struct mpu_rank *r, int to)
{
    mpu_post_header(r, to, MPU_CREDIT, 0, 0, 0);
    k_count("credit.messages", 1);
}

void mpu_credit_owe(struct mpu_rank *r, int from, int n)
{
    struct mpu_peer *p = &r->credit.peers[from];
    b_assert(n >= 0 && (int)p->owed + n <= r->cluster->window);
    p->owed += n;
    if (n == 0 || !enough(r, p) || r->life.closing)
        return;
    if (r->outbox.busy)
        r->credit.due = true;
    else
        tell(r, from);
}

uint8_t mpu_credit_give(struct mpu_rank *r, int to)
{
    struct mpu_peer *p = &r->credit.peers[to];
    uint8_t told = p->owed < UINT8_MAX ? (uint8_t)p->owed : UINT8_MAX;
    p->owed -= told;
    return told;
}

void mpu_credit_next(struct mpu_rank *r)
{
    for (int i = 0; r->credit.due && !r->life.closing && i < mpu_ranks(r); i++)
        if (enough(r, &r->credit.peers[i])) {
            if (r->outbox.busy)
                return;
            tell(r, i);
        }
    r->credit.due = false;
}
