/* SPDX-License-Identifier: MIT */
/* Counters. An object keeps what it moved; a facility keeps all of them. */
#include "ikc/internal.h"

#include <base/error.h>

void kern_stat_add(struct kern_ikc *k, int facility, enum k_stat what, uint64_t add)
{
    hal_lock(&k->done);
    k->stat[facility][what] += add;
    hal_unlock(&k->done);
}

/* With `done` held: of one object; operations of the other kind, and of its life, are 0 or 1. */
static uint64_t of_object(const struct kern_object *o, enum k_stat what)
{
    bool in = o->role == KERN_IN, sync = o->facility == K_SYNC;
    switch (what) {
    case K_STAT_VOLUME:
        return o->volume;
    case K_STAT_LATENCY:
        return o->latency;
    case K_STAT_CREATES:
        return in;
    case K_STAT_OPENS:
        return !in;
    case K_STAT_READS:
        return in && !sync ? o->count : 0;
    case K_STAT_WRITES:
        return !in && !sync ? o->count : 0;
    case K_STAT_WAITS:
        return in && sync ? o->count : 0;
    case K_STAT_SIGNALS:
        return !in && sync ? o->count : 0;
    default:
        return 0;
    }
}

long kern_stat_read(struct kern_ikc *k, int facility, long id, long what, uint64_t *value)
{
    if (!value || what < 0 || what > K_STAT_SIGNALS)
        return -B_EINVAL;
    hal_lock(&k->done);
    long r = 0;
    if (id == K_ANY) {
        *value = k->stat[facility][what];
    } else {
        struct kern_object *o = kern_object_find(k, facility, id);
        if (!o)
            r = -B_EBADF;
        else
            *value = of_object(o, (enum k_stat)what);
    }
    hal_unlock(&k->done);
    return r;
}
