/* SPDX-License-Identifier: MIT */
/* An alarm lies in the memory of each cluster that has members of the communicator; there every
 * rank looks at it, whoever was told.
 *
 *     who raises it                      a rank of another cluster
 *       | notes it, rings its cluster      |
 *       | ALARM, to each member ---------->|  notes it, rings its cluster
 */
#include <base/mem.h>

#include "progress/progress.h"
#include "transport/cell.h"
#include "transport/transport.h"

static bool continues(const struct mpu_alarm *k, const struct mpu_alarm *a)
{
    return k->context == a->context && a->first >= k->first && a->first <= k->last + !a->asks &&
           (!a->asks || !memcmp(k->call, a->call, sizeof a->call));
}

/* Where an alarm belongs, or a query, which do not drive out each other: to one of the same
 * operations or those before, so that operations that fail one after the other take one place; else
 * in place of the oldest. */
static int place_for(const struct mpu_alarms *all, const struct mpu_alarm *a)
{
    int from = a->asks ? MPU_ALARMS : 0, oldest = from;
    for (int i = from; i < from + MPU_ALARMS; i++) {
        if (all->serial[i] && continues(&all->kept[i], a))
            return i;
        if (all->serial[i] < all->serial[oldest])
            oldest = i;
    }
    return oldest;
}

/* False: it is no news, and who said it first knows best why. */
static bool keep(struct mpu_alarms *all, const struct mpu_alarm *a)
{
    int i = place_for(all, a);
    struct mpu_alarm *k = &all->kept[i];
    bool more = all->serial[i] && continues(k, a);
    if (more && a->last <= k->last)
        return false;
    uint32_t first = more ? k->first : a->first, last = more ? k->last : a->last;
    *k = *a;
    k->first = first;
    k->last = last > a->last ? last : a->last;
    all->serial[i] = atomic_fetch_add(&all->raised, 1) + 1;
    return true;
}

void mpu_alarm_raise(struct mpu_rank *r, const struct mpu_alarm *a)
{
    struct mpu_alarms *all = &r->cluster->alarms;
    if (a->asks)
        atomic_store_explicit(&all->asked, true, memory_order_relaxed);
    k_wait_lock(&all->lock);
    bool news = keep(all, a);
    k_wait_unlock(&all->lock);
    for (int n = 0; news && n < r->cluster->locals; n++)
        if (&r->cluster->ranks[n] != r)
            k_bell_ring(&r->cluster->ranks[n].bell, MPU_RUNG_ALARM);
}

bool mpu_alarm_tell_one(struct mpu_rank *r, const struct mpu_alarm *a, int world)
{
    struct mpu_wire w = {.kind = a->asks ? MPU_QUERY : MPU_ALARM,
                         .context = a->context,
                         .source = (uint32_t)a->rank,
                         .tag = (int32_t)a->first,
                         .from = (uint32_t)r->number,
                         .cookie = a->last,
                         .size = MPU_ALARM_CALL};
    if (mpu_neighbour(r, world))
        return true;
    if (r->outbox.busy)
        return false;
    if (a->asks)
        atomic_store_explicit(&r->cluster->alarms.asked, true, memory_order_relaxed);
    mpu_post(r, world, &w, a->call, sizeof a->call);
    return true;
}

bool mpu_alarm_tell(struct mpu_rank *r, const struct mpu_alarm *a, const struct mpu_comm *c,
                    int *next)
{
    while (*next < c->size && mpu_alarm_tell_one(r, a, mpu_comm_world(c, *next)))
        ++*next;
    return *next == c->size;
}

void mpu_alarm_arrived(struct mpu_rank *r, struct mpu_arrival *a)
{
    struct mpu_alarm alarm = {.context = a->wire.context,
                              .first = (uint32_t)a->wire.tag,
                              .last = a->wire.cookie,
                              .rank = (int)a->wire.source,
                              .asks = a->wire.kind == MPU_QUERY};
    memcpy(alarm.call, mpu_payload(a), sizeof alarm.call);
    mpu_arrival_end(r, a);
    mpu_alarm_raise(r, &alarm);
    r->notices |= MPU_ALARMED;
    if (mpu_waits(r)) /* another rank of the core took the message from their ring */
        mpu_ring(r);
}

void mpu_alarms_forget(struct mpu_rank *r, uint32_t context, uint32_t first, uint32_t last,
                       bool queries_alone)
{
    struct mpu_alarms *all = &r->cluster->alarms;
    k_wait_lock(&all->lock);
    for (int i = queries_alone ? MPU_ALARMS : 0; i < 2 * MPU_ALARMS; i++) {
        const struct mpu_alarm *k = &all->kept[i];
        if (k->context == context && k->first >= first && k->last <= last)
            all->serial[i] = 0;
    }
    k_wait_unlock(&all->lock);
}

uint32_t mpu_alarms(const struct mpu_rank *r)
{
    return atomic_load_explicit(&r->cluster->alarms.raised, memory_order_relaxed);
}

bool mpu_alarm_find(struct mpu_rank *r, bool (*fits)(const struct mpu_alarm *a, const void *arg),
                    const void *arg, struct mpu_alarm *found)
{
    struct mpu_alarms *all = &r->cluster->alarms;
    uint32_t newest = 0;
    k_wait_lock(&all->lock);
    for (int i = 0; i < 2 * MPU_ALARMS; i++)
        if (all->serial[i] > newest && fits(&all->kept[i], arg)) {
            newest = all->serial[i];
            *found = all->kept[i];
        }
    k_wait_unlock(&all->lock);
    return newest > 0;
}
