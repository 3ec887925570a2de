/* SPDX-License-Identifier: MIT */
/* Where any of several messages would do (MPI_Waitany), a rank gets them in the order in which they
 * come, which may be another one in a replay. When those that it got later would come, the first
 * replay does not know; so there are several, each with the times of the one before. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 4096 }; /* turns that are looked at for one */

/* A message that a rank got where others would have done as well. */
struct turn {
    uint64_t part;   /* its record */
    uint64_t posted; /* its receive was */
    const struct records_part *sent;
    bool taken;
};

/* Messages of which the first one that comes will do. */
static bool takes_any(int rank, const struct profile_record *r)
{
    static const char *const calls[] = {"MPI_Waitany", "MPI_Waitsome", "MPI_Testany",
                                        "MPI_Testsome"};
    bool any = false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        any |= strcmp(records_function(rank, r), calls[i]) == 0;
    return any;
}

/* The rank's turns, of which there are at most as many as records. */
static size_t find_turns(int rank, struct turn *turn)
{
    size_t n = 0;
    for (uint64_t k = 0, call = 0; k < records_rank[rank].recorded; k++) {
        const struct profile_record *r = records_at(rank, k);
        for (call = call < k ? k : call; records_at(rank, call)->part & PROFILE_MORE; call++)
            ;
        bool any = (r->part & PROFILE_RECEIVED) && takes_any(rank, records_at(rank, call));
        const struct records_part *sent = any ? records_sent(r->id) : NULL;
        if (sent)
            turn[n++] = (struct turn){.part = k, .posted = r->posted, .sent = sent};
    }
    return n;
}

/* Each turn gets the first to come of those that nobody has had and whose receive was posted. One
 * that came to an earlier call in its place is always left. */
static void take_turns(struct replay *p, int rank, struct turn *turn, size_t n)
{
    size_t low = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t asked = records_at(rank, turn[i].part)->begin;
        double first = 0;
        struct turn *best = NULL;
        for (; low < n && turn[low].taken; low++)
            ;
        for (size_t k = low; k < n && k < i + AHEAD; k++) {
            if (turn[k].taken || turn[k].posted > asked)
                continue;
            double at = replay_begin_of(p, turn[k].sent->rank, turn[k].sent->at);
            if (at >= 0 && (!best || at < first)) {
                best = &turn[k];
                first = at;
            }
        }
        p->turn[rank][turn[i].part] = best ? best->sent : NULL;
        if (best)
            best->taken = true;
    }
}

/* Events in the order of the last replay; those of a rank stay in theirs. */
static void reorder(struct replay *p)
{
    size_t *last = calloc((size_t)records_ranks, sizeof *last);
    for (size_t i = 0; last && i < p->events; i++) {
        struct event *e = &p->event[i];
        size_t before = last[e->rank];
        last[e->rank] = i + 1;
        bool same = before > 0 && p->event[before - 1].at == e->at;
        e->before = same ? p->event[before - 1].before + 1 : 0;
    }
    if (last)
        replay_sort(p);
    free(last);
}

bool replay_choose(struct replay *p)
{
    bool some = false;
    for (int i = 0; i < records_ranks; i++) {
        struct turn *turn = calloc(records_rank[i].recorded + 1, sizeof *turn);
        size_t n = turn ? find_turns(i, turn) : 0;
        if (n > 1)
            take_turns(p, i, turn, n);
        some |= n > 1;
        free(turn);
    }
    if (some)
        reorder(p);
    return some;
}
