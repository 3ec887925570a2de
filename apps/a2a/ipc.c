/* SPDX-License-Identifier: MIT */
/* The exchange by portals alone: one write and one read under way, the read open to any writer, for
 * whoever comes first must not wait for those that come later. Each rank waits for both at once:
 * if all waited for their writes only, all readers would be busy writing. */
#include <string.h>

#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_portal.h>

#include "a2a.h"
#include "common/team_ipc.h"

const bool a2a_has_collective = false;

int a2a_slots_in(const struct a2a *a)
{
    (void)a;
    return 1;
}

int a2a_slots_out(const struct a2a *a)
{
    (void)a;
    return 1;
}

/* One direction. */
struct way {
    int id; /* of the portal */
    bool busy;
    long left; /* to be started */
};

/* True when an operation of the way has just ended; *n is its result. */
static bool ended(struct a2a *a, struct way *w, long *n)
{
    if (!w->busy || k_ikc_test(K_PORTAL, w->id) == 0)
        return false;
    *n = team_must(&a->team, "waiting for a portal", k_ikc_wait(K_PORTAL, w->id, K_FOREVER));
    w->busy = false;
    return true;
}

static void start_read(struct a2a *a, struct way *w)
{
    team_must(&a->team, "k_portal_aread", k_portal_aread(w->id, NULL, a->in, a->bytes, NULL));
    w->busy = true;
    w->left--;
}

/* To the ranks after this one, in their order. */
static void start_write(struct a2a *a, struct way *w)
{
    int ranks = a->team.ranks, others = ranks - 1;
    long k = (long)a->options.messages * others - w->left;
    struct k_source to = team_place((a->team.rank + 1 + (int)(k % others)) % ranks);

    team_must(&a->team, "k_portal_awrite", k_portal_awrite(w->id, &to, a->out, a->bytes, 0));
    w->busy = true;
    w->left--;
}

static void move(struct a2a *a, struct way *in, struct way *out, struct k_bell *bell)
{
    while (in->left || in->busy || out->left || out->busy) {
        long n;
        if (in->left && !in->busy)
            start_read(a, in);
        if (out->left && !out->busy)
            start_write(a, out);
        k_bell_take(bell);
        bool came = ended(a, in, &n), gone = false;
        if (came)
            a2a_take(a, a->in, (size_t)n);
        gone = ended(a, out, &n);
        if (!came && !gone)
            k_bell_wait(bell, K_FOREVER);
    }
}

void a2a_exchange(struct a2a *a)
{
    const struct team_form *f = a->team.form;
    long all = (long)a->options.messages * (a->team.ranks - 1);
    struct way in = {f->portal_in, false, all}, out = {f->portal_out, false, all};
    struct k_bell bell;

    team_must(&a->team, "k_bell_init", k_bell_init(&bell, "all-to-all by portals"));
    team_must(&a->team, "k_ikc_attach", k_ikc_attach(K_PORTAL, in.id, &bell));
    team_must(&a->team, "k_ikc_attach", k_ikc_attach(K_PORTAL, out.id, &bell));
    move(a, &in, &out, &bell);
    k_ikc_attach(K_PORTAL, in.id, NULL);
    k_ikc_attach(K_PORTAL, out.id, NULL);
    k_bell_take(&bell);
}
