/* SPDX-License-Identifier: MIT */
/* The hierarchy, for ranks spread in any way: one tree from rank 0, a local master in each cluster,
 * workers under the master of their own cluster. */
#include <stdlib.h>

#include <test/check.h>

#include "common/team.h"

enum { MOST = 40 };

void team_send(struct team *t, int to, const void *from, size_t n)
{
    (void)t, (void)to, (void)from, (void)n;
}

size_t team_recv(struct team *t, int from, void *to, size_t most)
{
    (void)t, (void)from, (void)to, (void)most;
    return 0;
}

_Noreturn void team_abort(const struct team *t, int code, const char *why)
{
    (void)t, (void)why;
    exit(code);
}

static void check_member(const struct team *all, const struct team *t, int i)
{
    const struct team *m = &all[t->member[i]];
    CHECK(m->master == t->rank && m->siblings == t->crew);
    CHECK(i == 0 || t->member[i - 1] < t->member[i]);
    CHECK(t->rank == 0 || t->home[m->rank] == t->home[t->rank]);
}

/* All parts together are all, and as large as those who work there are many. */
static void check_parts(const struct team *all, const struct team *t)
{
    int workers = 0;
    for (int i = 0; i < t->crew; i++) {
        const struct team *m = &all[t->member[i]];
        int under = m->crew ? m->crew : 1;
        CHECK(team_part(t, t->before[t->crew], i) == workers && t->before[i] == workers);
        CHECK(t->before[i + 1] == workers + under);
        workers += under;
    }
    if (t->crew)
        CHECK(team_part(t, 1000, 0) == 0 && team_part(t, 1000, t->crew) == 1000);
}

/* `ranks` ranks on `clusters` clusters, each where place[rank] says. */
static void check_team(int ranks, int clusters, const int *place)
{
    struct team all[MOST];
    int home[MOST], first[MOST], under = 0, used = 0;
    for (int c = 0; c < clusters; c++)
        first[c] = -1;
    for (int rank = 0; rank < ranks; rank++) {
        if (first[place[rank]] < 0) {
            first[place[rank]] = rank;
            used++;
        }
        home[rank] = first[place[rank]];
    }
    for (int rank = 0; rank < ranks; rank++) {
        all[rank] = (struct team){.rank = rank, .ranks = ranks, .home = home};
        team_arrange(&all[rank]);
        CHECK(all[rank].clusters == used);
        under += all[rank].crew;
    }
    CHECK(all[0].master == -1 && under == ranks - 1);
    for (int rank = 0; rank < ranks; rank++) {
        for (int i = 0; i < all[rank].crew; i++)
            check_member(all, &all[rank], i);
        check_parts(all, &all[rank]);
        /* No deeper than master, local master, worker. */
        int master = all[rank].master;
        CHECK(master <= 0 || all[master].master == 0);
    }
    for (int rank = 0; rank < ranks; rank++) {
        free(all[rank].member);
        free(all[rank].before);
    }
}

static void test_share(void)
{
    for (long count = 0; count < 50; count++)
        for (int parts = 1; parts < 9; parts++) {
            CHECK(team_share(count, 0, parts) == 0 && team_share(count, parts, parts) == count);
            for (int i = 0; i < parts; i++) {
                long n = team_share(count, i + 1, parts) - team_share(count, i, parts);
                CHECK(n == count / parts || n == count / parts + 1);
            }
        }
}

int main(void)
{
    int place[MOST];
    srand(1);
    for (int ranks = 1; ranks <= MOST; ranks++)
        for (int clusters = 1; clusters <= ranks; clusters++)
            for (int way = 0; way < 3; way++) {
                int each = (ranks + clusters - 1) / clusters;
                for (int rank = 0; rank < ranks; rank++)
                    place[rank] = way == 0   ? rank / each
                                  : way == 1 ? rank % clusters
                                             : rand() % clusters;
                check_team(ranks, clusters, place);
            }
    test_share();
    return 0;
}
