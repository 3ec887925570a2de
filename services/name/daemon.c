/* SPDX-License-Identifier: MIT */
/* The daemon of a cluster: the ports of its own names, a cache of addresses elsewhere, and who
 * watches what.
 *
 * The cache is right because of three rules. Whoever asks the server for a name is told when it
 * goes (GONE). GONE removes the address. And an answer that was under way when GONE came is
 * given to who waits for it, but not kept: the two travel on different ways and may overtake
 * each other. */
#include <svc/name.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "name/wire.h"

enum slot_state { SLOT_FREE, SLOT_LINKING, SLOT_LIVE, SLOT_UNLINKING };
enum watch_state { WATCH_FREE, WATCH_ASKS, WATCH_ON, WATCH_TOLD };

const struct svc_name_protocol svc_name_forward = {"forward", NAME_LOOKUP, false};
const struct svc_name_protocol svc_name_paper = {"paper", NAME_WHERE, true};

void svc_name_daemon_init(struct svc_name_daemon *d, const struct svc_name_protocol *protocol)
{
    memset(d, 0, sizeof *d);
    d->protocol = protocol;
}

/* Own names ------------------------------------------------------------------------------------ */

static struct svc_name_slot *own(struct svc_name_daemon *d, const struct svc_text *name)
{
    for (int i = 0; i < SVC_NAME_LOCAL; i++)
        if (d->local[i].state != SLOT_FREE && svc_text_same(&d->local[i].name, name))
            return &d->local[i];
    return NULL;
}

/* A name that the server may have, and nobody holds, was taken back there, or the server ended. Who
 * wanted the link is told why there is none: only now, so that each message that goes out makes
 * room for one. */
static void taken_back(struct svc_server *s, void *why, uint64_t number, int result)
{
    (void)result;
    struct svc_ticket t = svc_ticket_of(number, SVC_NAME_DAEMON, DAEMON_LINK);
    svc_answer_status(s, &t, (int)(intptr_t)why);
}

static void take_back(struct svc_server *s, const struct svc_call *c, int why)
{
    struct svc_message m = {.h = {.service = SVC_NAME,
                                  .opcode = NAME_UNLINK,
                                  .node = (uint16_t)svc_cluster(),
                                  .port = SVC_NOBODY}};
    memcpy(m.body, &c->name, sizeof c->name);
    svc_send(s, svc_home(), svc_port(SVC_NAME), &m, sizeof m.h + sizeof c->name, taken_back,
             (void *)(intptr_t)why, svc_ticket_number(&c->ticket));
}

static bool linked(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                   int status)
{
    struct svc_name_daemon *d = s->state;
    if (m && node != svc_home())
        return false;
    struct svc_name_slot *slot = own(d, &c->name);
    slot->state = SLOT_FREE;
    if (status == 0) {
        svc_get(&slot->version, m, sizeof slot->version);
        if (slot->version != slot->gone)
            slot->state = SLOT_LIVE;
    }
    if (!m)
        take_back(s, c, status);
    else
        svc_answer_status(s, &c->ticket, status);
    return true;
}

static int link(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct svc_name_daemon *d = s->state;
    struct name_link body;
    svc_get(&body, r->m, sizeof body);
    struct k_info info;
    k_info(&info);
    if (!svc_text_valid(&body.name) || body.port >= info.mailbox_ports || body.ttl_us == 0 ||
        body.zero != 0)
        return -B_EINVAL;
    if (own(d, &body.name))
        return -B_EEXIST;
    for (int i = 0; i < SVC_NAME_LOCAL; i++) {
        struct svc_name_slot *slot = &d->local[i];
        if (slot->state == SLOT_FREE) {
            struct svc_call *c =
                svc_ask(s, svc_home(), SVC_NAME, NAME_LINK, &body, sizeof body, linked);
            if (!c)
                return -B_ENOSPC;
            c->ticket = r->ticket;
            c->name = body.name;
            *slot =
                (struct svc_name_slot){.name = body.name, .port = body.port, .state = SLOT_LINKING};
            return SVC_PARKED;
        }
    }
    return -B_ENOSPC;
}

/* The name may have expired at the server, and another cluster may have it by now: then it is gone
 * from here, whether GONE came while the server was asked, or never. */
static bool unlinked(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                     int node, int status)
{
    if (m && node != svc_home())
        return false;
    status = status == -B_EPERM ? -B_ENOENT : status;
    struct svc_name_slot *slot = own(s->state, &c->name);
    if (slot)
        slot->state = status == 0 || status == -B_ENOENT ? SLOT_FREE : SLOT_LIVE;
    svc_answer_status(s, &c->ticket, status);
    return true;
}

static int unlink(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    const struct svc_text *name = (const void *)r->m->body;
    struct svc_name_slot *slot = own(s->state, name);
    if (!slot || slot->state != SLOT_LIVE)
        return -B_ENOENT;
    struct svc_call *c =
        svc_ask(s, svc_home(), SVC_NAME, NAME_UNLINK, name, sizeof *name, unlinked);
    if (!c)
        return -B_ENOSPC;
    c->ticket = r->ticket;
    c->name = *name;
    slot->state = SLOT_UNLINKING;
    return SVC_PARKED;
}

/* Addresses ------------------------------------------------------------------------------------ */

static struct svc_name_known *known(struct svc_name_daemon *d, const struct svc_text *name)
{
    for (int i = 0; i < SVC_NAME_CACHE; i++)
        if (svc_text_same(&d->cache[i].name, name))
            return &d->cache[i];
    return NULL;
}

static void remember(struct svc_name_daemon *d, const struct svc_text *name, struct svc_address at)
{
    struct svc_name_known *place = known(d, name);
    for (int i = 0; i < SVC_NAME_CACHE && !place; i++)
        place = d->cache[i].name.text[0] == '\0' ? &d->cache[i] : NULL;
    if (!place) {
        place = &d->cache[0];
        for (int i = 1; i < SVC_NAME_CACHE; i++)
            place = d->cache[i].used < place->used ? &d->cache[i] : place;
    }
    *place = (struct svc_name_known){*name, at, ++d->turn};
}

/* word[0] of a call for an address or a watch: the version that went meanwhile, 0 none. */
static bool found(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                  int status)
{
    struct svc_name_daemon *d = s->state;
    struct name_address at = {0, 0};
    if (status == 0) {
        svc_get(&at, m, sizeof at);
        if (at.node != node)
            return false; /* nobody speaks for another cluster */
        if (c->word[0] == 0)
            remember(d, &c->name, (struct svc_address){at.node, at.port});
    }
    svc_answer(s, &c->ticket, status, &at, status == 0 ? sizeof at : 0, NULL, NULL, 0);
    return true;
}

/* The cluster is known: its daemon is asked for the port. */
static bool placed(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                   int status)
{
    if (m && node != svc_home())
        return false;
    struct svc_call *next = NULL;
    if (status == 0) {
        struct name_place at;
        svc_get(&at, m, sizeof at);
        next = svc_ask(s, (int)at.node, SVC_NAME_DAEMON, DAEMON_QUERY, &c->name, sizeof c->name,
                       found);
        status = -B_ENOSPC;
    }
    if (!next) {
        svc_answer_status(s, &c->ticket, status);
        return true;
    }
    next->ticket = c->ticket;
    next->name = c->name;
    next->word[0] = c->word[0];
    return true;
}

static int lookup(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct svc_name_daemon *d = s->state;
    const struct svc_text *name = (const void *)r->m->body;
    struct name_address at;
    if (!svc_text_valid(name))
        return -B_EINVAL;
    const struct svc_name_slot *slot = own(d, name);
    if (slot && slot->state == SLOT_LIVE) {
        at = (struct name_address){(uint16_t)r->from.node, slot->port};
        svc_put(answer, &at, sizeof at);
        return 0;
    }
    struct svc_name_known *k = known(d, name);
    if (k) {
        at = (struct name_address){(uint16_t)k->at.node, (uint16_t)k->at.port};
        svc_put(answer, &at, sizeof at);
        k->used = ++d->turn;
        d->hits++;
        return 0;
    }
    d->misses++;
    struct svc_call *c = svc_ask(s, svc_home(), SVC_NAME, d->protocol->first, name, sizeof *name,
                                 d->protocol->ask ? placed : found);
    if (!c)
        return -B_ENOSPC;
    c->ticket = r->ticket;
    c->name = *name;
    c->repeat = (uint8_t)d->protocol->first; /* home may have passed it on */
    return SVC_PARKED;
}

static int query(struct svc_server *s, const struct svc_request *r, void *answer)
{
    const struct svc_name_slot *slot = own(s->state, (const struct svc_text *)r->m->body);
    if (!slot)
        return -B_ENOENT;
    struct k_info info;
    k_info(&info);
    struct name_address at = {(uint16_t)info.cluster, slot->port};
    svc_put(answer, &at, sizeof at);
    return 0;
}

/* Watching ------------------------------------------------------------------------------------- */

/* word[1] of a call for a watch: the number of its watcher. */
static bool watching(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                     int node, int status)
{
    struct svc_name_daemon *d = s->state;
    if (m && node != svc_home())
        return false;
    struct svc_name_watcher *w = &d->watch[c->word[1]];
    if (status != 0) {
        svc_answer_status(s, &w->ticket, status);
        w->state = WATCH_FREE;
        return true;
    }
    struct name_place at;
    svc_get(&at, m, sizeof at);
    w->version = at.version;
    w->state = w->version == c->word[0] ? WATCH_TOLD : WATCH_ON;
    return true;
}

static int watch(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct svc_name_daemon *d = s->state;
    struct name_watch body;
    svc_get(&body, r->m, sizeof body);
    if (!svc_text_valid(&body.name))
        return -B_EINVAL;
    for (int i = 0; i < SVC_NAME_WATCH; i++) {
        struct svc_name_watcher *w = &d->watch[i];
        if (w->state != WATCH_FREE)
            continue;
        struct svc_call *c =
            svc_ask(s, svc_home(), SVC_NAME, NAME_WHERE, &body.name, sizeof body.name, watching);
        if (!c)
            return -B_ENOSPC;
        c->name = body.name;
        c->word[1] = (uint32_t)i;
        uint64_t now = k_time_cycles(), wait = svc_cycles(body.timeout_us);
        *w = (struct svc_name_watcher){.name = body.name,
                                       .ticket = r->ticket,
                                       .state = WATCH_ASKS,
                                       .deadline = wait < K_FOREVER - now ? now + wait : K_FOREVER};
        return SVC_PARKED;
    }
    return -B_ENOSPC;
}

static int gone(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct svc_name_daemon *d = s->state;
    struct name_gone body;
    svc_get(&body, r->m, sizeof body);
    if (r->from.node != svc_home())
        return -B_EPERM;
    if (!svc_text_valid(&body.name))
        return -B_EINVAL;
    struct svc_name_known *k = known(d, &body.name);
    if (k)
        *k = (struct svc_name_known){.used = 0};
    struct svc_name_slot *slot = own(d, &body.name);
    if (slot && slot->state == SLOT_LINKING)
        slot->gone = body.version;
    else if (slot && slot->state == SLOT_LIVE && slot->version == body.version)
        slot->state = SLOT_FREE;
    for (int i = 0; i < SVC_CALLS; i++)
        if (s->call[i].answered && svc_text_same(&s->call[i].name, &body.name))
            s->call[i].word[0] = body.version;
    for (int i = 0; i < SVC_NAME_WATCH; i++) {
        struct svc_name_watcher *w = &d->watch[i];
        if (w->state != WATCH_FREE && w->state != WATCH_TOLD &&
            svc_text_same(&w->name, &body.name)) {
            w->reason = body.reason;
            w->state = w->state == WATCH_ON && w->version == body.version ? WATCH_TOLD : w->state;
        }
    }
    return 0;
}

/* Tells those whose name went, or whose time is over; all, when the daemon ends. */
static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct svc_name_daemon *d = s->state;
    uint64_t next = K_FOREVER;
    for (int i = 0; i < SVC_NAME_WATCH; i++) {
        struct svc_name_watcher *w = &d->watch[i];
        bool told = w->state == WATCH_TOLD;
        bool late = w->state == WATCH_ON && (s->ending || w->deadline <= now);
        if (told || late) {
            if (svc_room(s) < 0)
                return now;
            struct name_end end = {w->reason};
            int why = told ? 0 : s->ending ? -B_ENOTCONN : -B_ETIMEDOUT;
            svc_answer(s, &w->ticket, why, &end, told ? sizeof end : 0, NULL, NULL, 0);
            w->state = WATCH_FREE;
        } else if (w->state == WATCH_ON && w->deadline < next) {
            next = w->deadline;
        }
    }
    return next;
}

static bool resting(const struct svc_server *s)
{
    const struct svc_name_daemon *d = s->state;
    for (int i = 0; i < SVC_NAME_WATCH; i++)
        if (d->watch[i].state == WATCH_ON || d->watch[i].state == WATCH_TOLD)
            return false;
    return true;
}

const struct svc_class svc_name_daemon = {
    .name = "name daemon",
    .service = SVC_NAME_DAEMON,
    .op = {[DAEMON_LINK] = {link, sizeof(struct name_link), 0, SVC_LOCAL},
           [DAEMON_UNLINK] = {unlink, sizeof(struct svc_text), 0, SVC_LOCAL},
           [DAEMON_LOOKUP] = {lookup, sizeof(struct svc_text), sizeof(struct name_address),
                              SVC_LOCAL},
           [DAEMON_WATCH] = {watch, sizeof(struct name_watch), sizeof(struct name_end), SVC_LOCAL},
           [DAEMON_QUERY] = {query, sizeof(struct svc_text), sizeof(struct name_address),
                             SVC_FORWARDED},
           [DAEMON_GONE] = {gone, sizeof(struct name_gone), 0, 0}},
    .tick = tick,
    .resting = resting,
};
