/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "team.h"

/* The lowest rank but 0 in the cluster whose lowest rank is `home`. */
static int local_master(const struct team *t, int home)
{
    int rank = home;
    while (rank == 0 || (rank < t->ranks && t->home[rank] != home))
        rank++;
    return rank;
}

static int master_of(const struct team *t, int rank)
{
    if (rank == 0)
        return -1;
    int local = local_master(t, t->home[rank]);
    return local == rank ? 0 : local;
}

/* Who work under `rank`, or 1: it has no crew and works itself. */
static int workers_of(const struct team *t, int rank)
{
    int workers = 0;

    for (int other = rank + 1; t->rank == 0 && other < t->ranks; other++)
        workers += t->home[other] == t->home[rank];
    return workers ? workers : 1;
}

void team_arrange(struct team *t)
{
    t->clusters = t->crew = t->siblings = 0;
    t->master = master_of(t, t->rank);
    for (int rank = 0; rank < t->ranks; rank++) {
        int master = master_of(t, rank);
        t->clusters += t->home[rank] == rank;
        t->siblings += master == t->master;
        t->crew += master == t->rank;
    }
    t->before = malloc((size_t)(t->crew + 1) * sizeof *t->before);
    t->member = malloc((size_t)(t->crew ? t->crew : 1) * sizeof *t->member);
    if (!t->member || !t->before)
        team_abort(t, 3, "no memory for the list of ranks");
    for (int rank = 0, n = 0; n < t->crew; rank++)
        if (master_of(t, rank) == t->rank)
            t->member[n++] = rank;
    t->before[0] = 0;
    for (int i = 0; i < t->crew; i++)
        t->before[i + 1] = t->before[i] + workers_of(t, t->member[i]);
}

void team_broadcast(struct team *t, void *buffer, size_t n)
{
    if (t->master >= 0)
        team_recv(t, t->master, buffer, n);
    for (int i = 0; i < t->crew; i++)
        team_send(t, t->member[i], buffer, n);
}

long team_share(long count, int part, int parts)
{
    return (long)((long long)count * part / parts);
}

long team_part(const struct team *t, long count, int i)
{
    return (long)((long long)count * t->before[i] / t->before[t->crew]);
}
