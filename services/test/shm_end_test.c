/* SPDX-License-Identifier: MIT */
/* The server of shared memory when a cluster does not say that it has the page it was granted: who
 * waits for that page is told when the server ends, and gets it although all places for messages
 * are taken by somebody who does not read. */
#include <svc/shm.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

#include "memory.h"

enum { A = 0, B = 1, REGIONS = 2, ANSWERS = SVC_OUT - SVC_ROOM };

/* docs/wire.md: operations of the server. */
enum { CLOSE = SVC_OP_FIRST + 1, CLAIM = SVC_OP_FIRST + 3 };

static const struct svc_form *form; /* constant while clusters run */
static struct svc_class spied;      /* the server, whose rounds are counted; home's */
static uint64_t rounds;             /* likewise */

static uint64_t count(struct svc_server *s, uint64_t now)
{
    rounds++;
    return svc_shm_server.tick(s, now);
}

struct world {
    struct memory_server memory;
    struct svc_daemon *server; /* at home, else NULL */
    void *state;
};

static struct world start(void)
{
    struct world w = {.memory = memory_start(form)};
    if (world_me() == svc_home()) {
        w.state = world_pages(svc_shm_server_bytes(REGIONS, MEMORY_BLOCKS));
        svc_shm_server_init(w.state, REGIONS, MEMORY_BLOCKS);
        spied = svc_shm_server;
        spied.tick = count;
        w.server = world_start(form, &spied, w.state);
    }
    world_meet(world_info().clusters);
    return w;
}

static void stop_server(struct world *w, struct svc_client *c)
{
    if (w->server) {
        world_stop(w->server, c);
        CHECK_EQ(k_page_free(w->state, svc_shm_server_bytes(REGIONS, MEMORY_BLOCKS)), 0);
    }
}

static void stop(struct world *w, struct svc_client *c)
{
    world_meet(world_info().clusters);
    memory_stop(&w->memory, c);
    world_meet(world_info().clusters);
}

static void open_region(struct svc_client *c, const char *name, struct svc_shm_region *g)
{
    unsigned mode = SVC_SHM_OTHERS_READ | SVC_SHM_OTHERS_WRITE;
    CHECK_EQ(svc_shm_open(c, name, SVC_SHM_CREATE, SVC_PAGE, mode, g), 0);
}

/* Asks for the region's page, and never says that it came. */
static int claim(struct svc_client *c, const struct svc_shm_region *g)
{
    struct svc_rmem_claim body = {g->at, 1, 0};
    return svc_request(c, svc_home(), SVC_SHM, CLAIM, &body, sizeof body, NULL, 0, K_FOREVER);
}

/* The end of the server ------------------------------------------------------------------------ */

enum what { CLAIMS, INVALIDATES, CLOSES, WAITS };

struct waiter {
    int thread, result;
    enum what what;
    const struct svc_shm_region *g;
};

static void wait_for(void *arg)
{
    struct waiter *w = arg;
    struct svc_client c;
    uint32_t body[2] = {w->g->id, 0};
    CHECK_EQ(svc_client_open(&c), 0);
    w->result = w->what == CLAIMS        ? claim(&c, w->g)
                : w->what == INVALIDATES ? svc_shm_invalidate(&c, w->g, 0)
                                         : svc_request(&c, svc_home(), SVC_SHM, CLOSE, body,
                                                       sizeof body, NULL, 0, K_FOREVER);
    svc_client_close(&c);
}

static int server_ends(void *arg)
{
    (void)arg;
    struct svc_client c;
    struct svc_shm_region kept, going;
    struct waiter waits[WAITS];
    int n = world_info().clusters, first = world_me() == A ? CLOSES : CLAIMS;
    int who = world_me() == A ? WAITS : world_me() == B ? CLOSES : 0;
    CHECK_EQ(svc_client_open(&c), 0);
    struct world w = start();
    open_region(&c, "kept", &kept);
    if (world_me() == A) {
        open_region(&c, "going", &going);
        CHECK_EQ(claim(&c, &going), 0);
        CHECK_EQ(svc_shm_unlink(&c, "going"), 0);
        CHECK_EQ(claim(&c, &kept), 0);
    }
    world_meet(n);
    for (int i = first; i < who; i++) {
        waits[i] = (struct waiter){.what = (enum what)i, .g = i == CLOSES ? &going : &kept};
        waits[i].thread = k_thread_create(&(struct k_thread_attr){
            .entry = wait_for, .arg = &waits[i], .name = "waits", .core = K_ANY});
        CHECK(waits[i].thread >= 0);
    }
    k_thread_sleep(world_info().hz / 500); /* they wait, or are refused before: both are right */
    world_meet(n);
    stop_server(&w, &c);
    for (int i = first; i < who; i++) {
        CHECK_EQ(k_thread_join(waits[i].thread, NULL), 0);
        CHECK(waits[i].result == -B_ENOTCONN || (i == CLOSES && waits[i].result == 0));
    }
    stop(&w, &c);
    svc_client_close(&c);
    return 0;
}

/* No place to ask ------------------------------------------------------------------------------ */

/* Has the server of this cluster make as many answers as leave the places that it promises, to a
 * port that takes none of them. */
static void take_places(struct svc_client *c)
{
    struct svc_message m = {.h = {.service = SVC_SHM, .opcode = SVC_OP_PING}};
    world_fill(world_me(), c->port, world_info().hz / 100);
    m.h.node = (uint16_t)world_me();
    m.h.port = (uint16_t)c->port;
    for (int i = 0; i < ANSWERS; i++)
        CHECK_EQ(k_mailbox_writeto(c->out, svc_home(), svc_port(SVC_SHM), &m, sizeof m.h),
                 (int)sizeof m.h);
}

/* A's grant becomes overdue while nothing can be asked, B waits for the page. It gets it when an
 * answer that nobody takes has lost its place; until then the server sleeps. */
static int no_room(void *arg)
{
    (void)arg;
    struct svc_client c, deaf;
    struct svc_shm_region g;
    int n = world_info().clusters;
    CHECK_EQ(svc_client_open(&c), 0);
    CHECK_EQ(svc_client_open(&deaf), 0);
    struct world w = start();
    open_region(&c, "page", &g);
    if (world_me() == A)
        CHECK_EQ(claim(&c, &g), 0);
    world_meet(n);
    if (world_me() == svc_home())
        take_places(&deaf);
    world_meet(n);
    uint64_t before = rounds;
    if (world_me() == B)
        CHECK_EQ(claim(&c, &g), 0);
    world_meet(n);
    /* A round for each slice of the patience of either line, and some for the messages. */
    CHECK(world_me() != svc_home() || rounds - before < 8 * SVC_SLICES);
    svc_client_close(&deaf);
    world_meet(n);
    stop_server(&w, &c);
    stop(&w, &c);
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    for (int i = 0; i < 2; i++) {
        form = forms[i];
        CHECK_EQ(world_run(server_ends, NULL), 0);
        CHECK_EQ(world_run(no_room, NULL), 0);
    }
    return 0;
}
