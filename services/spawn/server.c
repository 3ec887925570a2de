/* SPDX-License-Identifier: MIT */
/* The spawn server: what became of each rank, and the end of all services.
 *
 * Crashes are found by asking, if the server was told to: every `watch` a message goes to each
 * cluster that still has running ranks. Nobody needs to listen there: a kernel that answers "no
 * such port" is alive, and the end of a cluster is told by the network. */
#include <svc/spawn_server.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "spawn/wire.h"

enum { WAITERS = 16, SERVICES = 64 };

struct rank {
    uint8_t fate; /* enum svc_fate */
    bool missed;  /* its cluster did not answer the last ping */
    int32_t status;
};

struct waiter {
    bool used;
    struct svc_ticket ticket;
    int rank;
    uint64_t deadline;
};

enum service_state { RUNS, ASKED, GONE };
struct service {
    uint16_t node;
    uint8_t service, level, state;
};

struct server {
    struct svc_job job;
    int clusters; /* compute */
    int running;  /* ranks */
    bool news;    /* a rank ended: waiters have to be looked at */
    uint64_t due, ping;
    uint64_t watch; /* cycles between two questions, 0: none is asked */
    int next;       /* cluster to be asked in this round; `clusters`: the round is over */
    struct waiter waiter[WAITERS];
    struct service service[SERVICES];
    int services;
    bool finishing;
    uint32_t failed;
    struct svc_ticket finisher;
    struct rank rank[];
};

size_t svc_spawn_server_bytes(const struct svc_job *job)
{
    return sizeof(struct server) + (size_t)svc_spawn_total(job) * sizeof(struct rank);
}

void svc_spawn_server_init(void *state, const struct svc_job *job, uint32_t watch_us)
{
    struct k_info info;
    k_info(&info);
    struct server *n = state;
    memset(n, 0, svc_spawn_server_bytes(job));
    n->job = *job;
    n->clusters = n->next = info.compute_clusters;
    n->running = svc_spawn_total(job);
    n->due = K_FOREVER;
    n->watch = svc_cycles(watch_us);
}

/* Ranks ---------------------------------------------------------------------------------------- */

static void end_rank(struct server *n, int rank, enum svc_fate fate, int status)
{
    n->rank[rank] = (struct rank){.fate = (uint8_t)fate, .status = status};
    n->running--;
    n->news = true;
}

/* Cluster `from` says that a rank ended. */
static int ended_one(struct server *n, int from, int rank, int status)
{
    if (rank < 0 || rank >= svc_spawn_total(&n->job))
        return -B_EINVAL;
    /* Cores play no part in who lives where. */
    if (svc_spawn_place(&n->job, rank, n->clusters, 0, 1).cluster != from)
        return -B_EPERM;
    if (n->rank[rank].fate != SVC_RUNS)
        return -B_EEXIST;
    end_rank(n, rank, SVC_ENDED, status);
    return 0;
}

/* Each is judged by itself; the answer is the first error. */
static int ended(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    int error = 0;
    struct spawn_ended body;
    svc_get(&body, r->m, sizeof body);
    if (body.count < 1 || body.count > SPAWN_ENDS)
        return -B_EINVAL;
    for (uint32_t i = 0; i < body.count; i++) {
        int e = ended_one(s->state, r->from.node, body.end[i].rank, body.end[i].status);
        error = error != 0 ? error : e;
    }
    return error;
}

static bool failed(const struct rank *r)
{
    return r->fate == SVC_CRASHED || (r->fate == SVC_ENDED && r->status != 0);
}

/* What a waiter for `rank` is to be told; false: nothing yet. */
static bool outcome(const struct server *n, int rank, struct spawn_end *end)
{
    if (rank >= 0) {
        *end = (struct spawn_end){rank, n->rank[rank].fate, n->rank[rank].status};
        return n->rank[rank].fate != SVC_RUNS;
    }
    if (rank == SVC_ALL_RANKS && n->running > 0)
        return false;
    for (int i = 0; i < svc_spawn_total(&n->job); i++) {
        if (failed(&n->rank[i])) {
            *end = (struct spawn_end){i, n->rank[i].fate, n->rank[i].status};
            return true;
        }
    }
    *end = (struct spawn_end){-1, SVC_ENDED, 0};
    return n->running == 0;
}

static int wait(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct server *n = s->state;
    struct spawn_wait body;
    svc_get(&body, r->m, sizeof body);
    if (body.rank < SVC_FIRST_FAILURE || body.rank >= svc_spawn_total(&n->job))
        return -B_EINVAL;
    struct spawn_end end;
    if (outcome(n, body.rank, &end)) {
        svc_put(answer, &end, sizeof end);
        return 0;
    }
    for (int i = 0; i < WAITERS; i++) {
        struct waiter *w = &n->waiter[i];
        if (!w->used) {
            uint64_t now = k_time_cycles(), time = svc_cycles(body.timeout_us);
            *w = (struct waiter){.used = true,
                                 .ticket = r->ticket,
                                 .rank = body.rank,
                                 .deadline = time < K_FOREVER - now ? now + time : K_FOREVER};
            n->due = w->deadline < n->due ? w->deadline : n->due;
            return SVC_PARKED;
        }
    }
    return -B_ENOSPC;
}

static void tell(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    n->due = K_FOREVER;
    n->news = false;
    for (int i = 0; i < WAITERS; i++) {
        struct waiter *w = &n->waiter[i];
        struct spawn_end end;
        bool told = w->used && outcome(n, w->rank, &end);
        if (!w->used || (!told && w->deadline > now && !s->ending)) {
            n->due = w->used && w->deadline < n->due ? w->deadline : n->due;
        } else if (svc_room(s) < 0) {
            n->news = true;
            return;
        } else {
            int why = told ? 0 : s->ending ? -B_ENOTCONN : -B_ETIMEDOUT;
            svc_answer(s, &w->ticket, why, &end, told ? sizeof end : 0, NULL, NULL, 0);
            w->used = false;
        }
    }
}

/* Crashes -------------------------------------------------------------------------------------- */

static bool has_running(const struct server *n, int cluster)
{
    int count = svc_spawn_count(&n->job, cluster, n->clusters);
    for (int i = 0; i < count; i++)
        if (n->rank[svc_spawn_rank(&n->job, cluster, i, n->clusters)].fate == SVC_RUNS)
            return true;
    return false;
}

/* What a cluster said before it ended may not have been read yet, so its ranks are taken for
 * crashed when the second ping has failed. */
static void pinged(struct svc_server *s, void *cookie, uint64_t cluster, int result)
{
    (void)cookie;
    struct server *n = s->state;
    if (result != -B_EIO)
        return;
    int count = svc_spawn_count(&n->job, (int)cluster, n->clusters);
    for (int i = 0; i < count; i++) {
        int rank = svc_spawn_rank(&n->job, (int)cluster, i, n->clusters);
        if (n->rank[rank].fate == SVC_RUNS && n->rank[rank].missed)
            end_rank(n, rank, SVC_CRASHED, 0);
        n->rank[rank].missed = true;
    }
}

/* One round, as far as there is room. */
static void ping(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    int own = svc_cluster();
    if (n->next == n->clusters && n->ping <= now) {
        n->next = 0;
        n->ping = now + n->watch;
    }
    for (; n->next < n->clusters && svc_room(s) >= 0; n->next++) {
        if (n->next != own && has_running(n, n->next)) {
            struct svc_message m = {.h = {.service = SVC_SPAWN,
                                          .opcode = SVC_OP_PING,
                                          .node = (uint16_t)own,
                                          .port = SVC_NOBODY}};
            svc_send(s, n->next, svc_port(SVC_SPAWN), &m, sizeof m.h, pinged, NULL,
                     (uint64_t)n->next);
        }
    }
}

/* Services ------------------------------------------------------------------------------------- */

static int enlist(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct server *n = s->state;
    struct spawn_enlist body;
    svc_get(&body, r->m, sizeof body);
    if (body.service >= SVC_SERVICES || body.zero != 0)
        return -B_EINVAL;
    for (int i = 0; i < n->services; i++)
        if (n->service[i].node == r->from.node && n->service[i].service == body.service)
            return -B_EEXIST;
    if (n->services == SERVICES || n->finishing)
        return -B_ENOSPC;
    n->service[n->services++] =
        (struct service){(uint16_t)r->from.node, body.service, body.level, RUNS};
    return 0;
}

static int finish(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct server *n = s->state;
    if (n->finishing)
        return -B_EBUSY;
    n->finishing = true;
    n->failed = 0;
    n->finisher = r->ticket;
    return SVC_PARKED;
}

static bool has_ended(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                      int node, int status)
{
    struct server *n = s->state;
    if (m && node != c->node)
        return false;
    n->service[c->word[0]].state = GONE;
    n->failed += status != 0 && status != -B_ENOTCONN && status != -B_EIO;
    return true;
}

/* Asks the services of the highest level that is left to end, once the level above is gone. */
static void end_services(struct svc_server *s)
{
    struct server *n = s->state;
    int level = -1;
    for (int i = 0; i < n->services; i++) {
        const struct service *x = &n->service[i];
        level = x->state != GONE && x->level > level ? x->level : level;
    }
    for (int i = 0; i < n->services && svc_room(s) >= 0; i++) {
        struct service *x = &n->service[i];
        if (x->level == level && x->state == RUNS) {
            struct svc_call *c = svc_ask(s, x->node, (enum svc_service)x->service, SVC_OP_SHUTDOWN,
                                         NULL, 0, has_ended);
            if (!c)
                return; /* answers come, then it goes on */
            c->word[0] = (uint32_t)i;
            x->state = ASKED;
        }
    }
    if (level < 0 && svc_room(s) >= 0) {
        n->finishing = false;
        n->services = 0;
        struct spawn_finished body = {n->failed};
        svc_answer(s, &n->finisher, 0, &body, sizeof body, NULL, NULL, 0);
    }
}

static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    bool asks = n->running > 0 && n->watch != 0 && !s->ending;
    if (asks)
        ping(s, now);
    if (n->news || n->due <= now || s->ending)
        tell(s, now);
    if (n->finishing)
        end_services(s);
    return asks && n->ping < n->due ? n->ping : n->due;
}

static bool resting(const struct svc_server *s)
{
    const struct server *n = s->state;
    bool waits = n->finishing;
    for (int i = 0; i < WAITERS; i++)
        waits = waits || n->waiter[i].used;
    return !waits;
}

const struct svc_class svc_spawn_server = {
    .name = "spawn server",
    .service = SVC_SPAWN,
    .op = {[SPAWN_ENDED] = {ended, sizeof(struct spawn_ended), 0, 0},
           [SPAWN_WAIT] = {wait, sizeof(struct spawn_wait), sizeof(struct spawn_end), 0},
           [SPAWN_ENLIST] = {enlist, sizeof(struct spawn_enlist), 0, 0},
           [SPAWN_FINISH] = {finish, 0, sizeof(struct spawn_finished), SVC_LOCAL}},
    .tick = tick,
    .resting = resting,
};
