/* SPDX-License-Identifier: MIT */
/* The name service does what svc/name.h says, by both protocols: link, lookup from everywhere,
 * the cache, unlink and link elsewhere, expiry, watching. */
#include <base/fmt.h>

#include "../name/wire.h"
#include "world.h"

enum { PORTS = 3, TTL_MS = 200 };

static const struct svc_form *form;
static const struct svc_name_protocol *protocol; /* constant while clusters run */

static const char *name_of(char *buf, int cluster, int i)
{
    b_fmt(buf, SVC_NAME_MAX, "/c%d/%d", cluster, i);
    return buf;
}

/* Each cluster has names; everybody finds all of them, the second time in the cache. */
static void check_lookup(struct svc_client *c, struct svc_name_daemon *d, int me, int n)
{
    char name[SVC_NAME_MAX];
    struct svc_address at;
    for (int i = 0; i < PORTS; i++) {
        CHECK_EQ(svc_name_link(c, name_of(name, me, i), i, SVC_NO_LIMIT), 0);
        CHECK_EQ(svc_name_link(c, name, i, SVC_NO_LIMIT), -B_EEXIST);
    }
    world_meet(n);
    for (int round = 0; round < 2; round++) {
        uint64_t misses = d->misses, hits = d->hits;
        for (int k = 0; k < n * PORTS; k++) {
            int cluster = (me + k / PORTS) % n;
            CHECK_EQ(svc_name_lookup(c, name_of(name, cluster, k % PORTS), &at), 0);
            CHECK_EQ(at.node, cluster);
            CHECK_EQ(at.port, k % PORTS);
        }
        uint64_t others = (uint64_t)(n - 1) * PORTS; /* its own names are never asked for */
        CHECK_EQ(d->misses - misses + d->hits - hits, others);
        CHECK(round == 0 || others > SVC_NAME_CACHE || d->hits - hits == others);
    }
    CHECK_EQ(svc_name_link(c, name_of(name, (me + 1) % n, 0), 1, SVC_NO_LIMIT), -B_EEXIST);
    CHECK_EQ(svc_name_unlink(c, name), -B_ENOENT);
    CHECK_EQ(svc_name_lookup(c, "/nowhere", &at), -B_ENOENT);
    world_meet(n);
}

/* A name moves from cluster to cluster: after the unlink nobody finds the old address, even if he
 * had it in his cache. */
static void check_moves(struct svc_client *c, int me, int n)
{
    struct svc_address at;
    for (int turn = 0; turn < n; turn++) {
        if (me == turn)
            CHECK_EQ(svc_name_link(c, "/mover", turn % 4, SVC_NO_LIMIT), 0);
        world_meet(n);
        CHECK_EQ(svc_name_lookup(c, "/mover", &at), 0);
        CHECK_EQ(at.node, turn);
        CHECK_EQ(at.port, turn % 4);
        world_meet(n);
        if (me == turn) {
            CHECK_EQ(svc_name_unlink(c, "/mover"), 0);
            CHECK_EQ(svc_name_unlink(c, "/mover"), -B_ENOENT);
        }
        world_meet(n);
        CHECK_EQ(svc_name_lookup(c, "/mover", &at), -B_ENOENT);
        world_meet(n);
    }
}

/* A daemon that was not told of its name's end learns it when it is to unlink the name, which
 * another cluster has by then. */
static void check_missed(struct svc_client *c, int me, int n)
{
    struct svc_text text;
    CHECK_EQ(svc_text_set(&text, "/missed"), 0);
    for (int turn = 0; turn < 4; turn++) {
        if (turn == 0 && me == 0) {
            CHECK_EQ(svc_name_link(c, "/missed", 1, SVC_NO_LIMIT), 0);
            CHECK_EQ(svc_request(c, svc_home(), SVC_NAME, NAME_UNLINK, &text, sizeof text, NULL, 0,
                                 K_FOREVER),
                     0);
        } else if (turn == 1 && me == 1) {
            CHECK_EQ(svc_name_link(c, "/missed", 2, SVC_NO_LIMIT), 0);
        } else if (turn == 2 && me == 0) {
            CHECK_EQ(svc_name_unlink(c, "/missed"), -B_ENOENT);
        } else if (turn == 3 && me == 1) {
            CHECK_EQ(svc_name_unlink(c, "/missed"), 0);
        }
        world_meet(n);
    }
    if (me == 0) {
        CHECK_EQ(svc_name_link(c, "/missed", 3, SVC_NO_LIMIT), 0);
        CHECK_EQ(svc_name_unlink(c, "/missed"), 0);
    }
}

/* A heart that beats keeps its name; one that stops loses it, everywhere, and who watches is told.
 * What a slow host missed is not held against the name. */
static void check_beats(struct svc_client *c, uint64_t linked)
{
    struct svc_address at;
    uint64_t ms = world_info().hz / 1000, last = linked;
    bool late = false;
    for (int i = 0; i < 10; i++) { /* longer than it lives without */
        CHECK_EQ(svc_name_beat(c, "/mortal"), 0);
        late = late || k_time_cycles() - last > TTL_MS * ms;
        last = k_time_cycles();
        k_thread_sleep(TTL_MS * ms / 8);
    }
    int r = svc_name_lookup(c, "/mortal", &at);
    CHECK(r == 0 || late || k_time_cycles() - last > TTL_MS * ms);
}

static void check_expiry(struct svc_client *c, int me, int n)
{
    struct svc_address at;
    uint64_t ms = world_info().hz / 1000, began = k_time_cycles();
    if (me == 0) {
        CHECK_EQ(svc_name_link(c, "/mortal", 1, TTL_MS * 1000), 0);
        CHECK_EQ(svc_name_link(c, "/leaver", 2, SVC_NO_LIMIT), 0);
    }
    world_meet(n);
    CHECK(svc_name_lookup(c, "/mortal", &at) == 0 || k_time_cycles() - began > TTL_MS * ms);
    CHECK_EQ(svc_name_watch(c, "/never", SVC_NO_LIMIT), -B_ENOENT);
    CHECK_EQ(svc_name_watch(c, "/leaver", 1000), -B_ETIMEDOUT);
    world_meet(n);
    if (me == 0) {
        check_beats(c, began);
        CHECK_EQ(svc_name_unlink(c, "/leaver"), 0);
    } else {
        int r = svc_name_watch(c, "/leaver", SVC_NO_LIMIT);
        CHECK(r == SVC_NAME_UNLINKED || r == -B_ENOENT); /* gone before the watch began */
    }
    int r = svc_name_watch(c, "/mortal", SVC_NO_LIMIT);
    CHECK(r == SVC_NAME_EXPIRED || r == -B_ENOENT);
    CHECK(me != 1 || strcmp(hal_port_name, "sim") != 0 || r == SVC_NAME_EXPIRED);
    CHECK_EQ(svc_name_lookup(c, "/mortal", &at), -B_ENOENT);
    world_meet(n);
    if (me == 0)
        CHECK_EQ(svc_name_link(c, "/mortal", 3, SVC_NO_LIMIT), 0);
    world_meet(n);
    CHECK_EQ(svc_name_lookup(c, "/mortal", &at), 0);
    CHECK_EQ(at.port, 3);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), n = world_info().clusters;
    CHECK_EQ(svc_client_open(&c), 0);
    struct world_names w = world_names_start(form, protocol);
    check_lookup(&c, w.state, me, n);
    check_moves(&c, me, n);
    check_missed(&c, me, n);
    if (protocol == &svc_name_forward) /* neither depends on the protocol nor is quick */
        check_expiry(&c, me, n);
    world_names_stop(&w, &c);
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    static const struct svc_name_protocol *const protocols[] = {&svc_name_forward, &svc_name_paper};
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        for (int k = 0; k < 2; k++) {
            form = forms[i];
            protocol = protocols[k];
            CHECK_EQ(world_run(body, NULL), 0);
        }
    }
    return 0;
}
