/* SPDX-License-Identifier: MIT */
/* First in, first out on both queues: with arrivals of one sender in order, that is the order the
 * standard asks for, also for wildcards. */
#include "match/match.h"

void mpu_match_init(struct mpu_match *m)
{
    *m = (struct mpu_match){0};
    m->posted_end = &m->posted;
    m->unexpected_end = &m->unexpected;
}

static bool takes(struct mpu_match *m, const struct mpu_request *q, const struct mpu_wire *w)
{
    m->compared++;
    return q->context == w->context && (q->source == MPU_ANY || q->source == (int)w->source) &&
           (q->tag == MPU_ANY || q->tag == w->tag);
}

struct mpu_request *mpu_match_posted(struct mpu_match *m, const struct mpu_wire *w)
{
    for (struct mpu_request **at = &m->posted; *at; at = &(*at)->next) {
        struct mpu_request *q = *at;
        if (takes(m, q, w)) {
            *at = q->next;
            if (!*at)
                m->posted_end = at;
            q->next = NULL;
            return q;
        }
    }
    return NULL;
}

struct mpu_request *mpu_match_arrival(struct mpu_match *m, struct mpu_arrival *a)
{
    struct mpu_request *q = mpu_match_posted(m, &a->wire);
    if (q)
        return q;
    a->next = NULL;
    *m->unexpected_end = a;
    m->unexpected_end = &a->next;
    if (++m->waiting > m->waiting_most)
        m->waiting_most = m->waiting;
    return NULL;
}

struct mpu_arrival *mpu_match_probe(struct mpu_match *m, uint32_t context, int source, int tag,
                                    bool take)
{
    const struct mpu_request q = {.context = context, .source = source, .tag = tag};
    for (struct mpu_arrival **at = &m->unexpected; *at; at = &(*at)->next) {
        struct mpu_arrival *a = *at;
        if (!takes(m, &q, &a->wire))
            continue;
        if (take) {
            *at = a->next;
            if (!*at)
                m->unexpected_end = at;
            a->next = NULL;
            m->waiting--;
        }
        return a;
    }
    return NULL;
}

struct mpu_arrival *mpu_match_receive(struct mpu_match *m, struct mpu_request *q)
{
    struct mpu_arrival *a = mpu_match_probe(m, q->context, q->source, q->tag, true);
    if (!a) {
        q->next = NULL;
        *m->posted_end = q;
        m->posted_end = &q->next;
    }
    return a;
}

bool mpu_match_remove(struct mpu_match *m, struct mpu_arrival *a)
{
    for (struct mpu_arrival **at = &m->unexpected; *at; at = &(*at)->next)
        if (*at == a) {
            *at = a->next;
            if (!*at)
                m->unexpected_end = at;
            m->waiting--;
            return true;
        }
    return false;
}

bool mpu_match_cancel(struct mpu_match *m, struct mpu_request *q)
{
    for (struct mpu_request **at = &m->posted; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            if (!*at)
                m->posted_end = at;
            return true;
        }
    return false;
}
