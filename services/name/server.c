/* SPDX-License-Identifier: MIT */
/* The name server: which cluster has which name, and which clusters know about it.
 *
 * A name that goes, by unlink or because its heart stopped, first becomes DYING: it is not found
 * any more, and each cluster that ever asked for it is told. Only when all have stored that message
 * is the unlink answered: whoever learns of it finds the message before his next lookup in the
 * queue of his daemon. A cluster that ended, or from which the frame took the message back as
 * others needed its place, is counted as told. */
#include <svc/name.h>

#include <base/bitmap.h>
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include "name/wire.h"

enum life { FREE, LIVE, DYING };

struct entry {
    struct svc_text name;
    uint16_t node;
    uint8_t life;
    uint8_t reason; /* DYING: enum svc_name_end */
    uint32_t version;
    uint32_t flying;      /* DYING: messages under way */
    uint64_t ttl, expiry; /* cycles, K_FOREVER: never; instant */
    struct svc_ticket by; /* DYING: who unlinked it, port SVC_NOBODY if nobody did */
};

struct server {
    int names, clusters, words;
    uint32_t version;
    int dying;       /* entries */
    uint64_t due;    /* no entry expires before */
    uint64_t *users; /* clusters that know it: words for each entry */
    struct entry entry[];
};

static int words(void)
{
    struct k_info info;
    k_info(&info);
    return (info.clusters + 63) / 64;
}

size_t svc_name_server_bytes(int names)
{
    return sizeof(struct server) +
           (size_t)names * (sizeof(struct entry) + (size_t)words() * sizeof(uint64_t));
}

void svc_name_server_init(void *state, int names)
{
    struct k_info info;
    k_info(&info);
    struct server *n = state;
    memset(n, 0, svc_name_server_bytes(names));
    n->names = names;
    n->clusters = info.clusters;
    n->words = words();
    n->due = K_FOREVER;
    n->users = (uint64_t *)&n->entry[names];
}

static struct b_bitmap users(const struct server *n, const struct entry *e)
{
    return (struct b_bitmap){.words = n->users + (e - n->entry) * n->words,
                             .bits = (uint32_t)n->clusters};
}

static struct entry *find(struct server *n, const struct svc_text *name)
{
    for (int i = 0; i < n->names; i++)
        if (n->entry[i].life == LIVE && svc_text_same(&n->entry[i].name, name))
            return &n->entry[i];
    return NULL;
}

static struct entry *unused(struct server *n)
{
    for (int i = 0; i < n->names; i++)
        if (n->entry[i].life == FREE)
            return &n->entry[i];
    return NULL;
}

static void set_expiry(struct server *n, struct entry *e)
{
    uint64_t now = k_time_cycles();
    e->expiry = e->ttl < K_FOREVER - now ? now + e->ttl : K_FOREVER;
    n->due = e->expiry < n->due ? e->expiry : n->due;
}

static void die(struct server *n, struct entry *e, enum svc_name_end reason,
                const struct svc_ticket *by)
{
    e->life = DYING;
    e->reason = (uint8_t)reason;
    e->by = *by;
    n->dying++;
}

/* The heart of its process stopped: its daemon is told as well. */
static void perish(struct server *n, struct entry *e)
{
    static const struct svc_ticket nobody = {.port = SVC_NOBODY};
    struct b_bitmap know = users(n, e);
    b_bitmap_set(&know, e->node);
    die(n, e, SVC_NAME_EXPIRED, &nobody);
}

static int link(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct server *n = s->state;
    struct name_link body;
    svc_get(&body, r->m, sizeof body);
    if (!svc_text_valid(&body.name) || body.ttl_us == 0 || body.zero != 0)
        return -B_EINVAL;
    if (find(n, &body.name))
        return -B_EEXIST;
    struct entry *e = unused(n);
    if (!e)
        return -B_ENOSPC;
    *e = (struct entry){.name = body.name,
                        .node = (uint16_t)r->from.node,
                        .life = LIVE,
                        .version = ++n->version,
                        .ttl = svc_cycles(body.ttl_us)};
    set_expiry(n, e);
    svc_put(answer, &(struct name_version){e->version}, sizeof(struct name_version));
    return 0;
}

/* The name that is asked about, which the asking cluster must have made. */
static int find_own(struct svc_server *s, const struct svc_request *r, struct entry **e)
{
    *e = find(s->state, (const struct svc_text *)r->m->body);
    return !*e ? -B_ENOENT : (*e)->node != r->from.node ? -B_EPERM : 0;
}

static int unlink(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct entry *e;
    int rc = find_own(s, r, &e);
    if (rc != 0)
        return rc;
    die(s->state, e, SVC_NAME_UNLINKED, &r->ticket);
    return SVC_PARKED;
}

/* From here on the asking cluster knows the name. */
static struct entry *look(struct svc_server *s, const struct svc_request *r)
{
    struct server *n = s->state;
    struct entry *e = find(n, (const struct svc_text *)r->m->body);
    if (e) {
        struct b_bitmap know = users(n, e);
        b_bitmap_set(&know, (uint32_t)r->from.node);
    }
    return e;
}

/* A request could not be passed on: who asked is told why. If its cluster ended, all names there
 * go. */
static void passed(struct svc_server *s, void *cookie, uint64_t number, int result)
{
    struct server *n = s->state;
    struct svc_ticket t = svc_ticket_of(number, SVC_NAME, NAME_LOOKUP);
    if (result == 0)
        return;
    svc_answer_status(s, &t, result);
    for (int i = 0; i < n->names && result == -B_EIO; i++)
        if (n->entry[i].life == LIVE && n->entry[i].node == (uintptr_t)cookie)
            perish(n, &n->entry[i]);
}

static int lookup(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct entry *e = look(s, r);
    if (!e)
        return -B_ENOENT;
    struct svc_message m = *r->m;
    m.h.service = SVC_NAME_DAEMON;
    m.h.opcode = DAEMON_QUERY;
    svc_send(s, e->node, svc_port(SVC_NAME_DAEMON), &m, sizeof m.h + sizeof e->name, passed,
             (void *)(uintptr_t)e->node, svc_ticket_number(&r->ticket));
    return SVC_PARKED; /* the daemon there answers */
}

static int where(struct svc_server *s, const struct svc_request *r, void *answer)
{
    struct entry *e = look(s, r);
    if (!e)
        return -B_ENOENT;
    svc_put(answer, &(struct name_place){e->version, e->node}, sizeof(struct name_place));
    return 0;
}

static int beat(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    struct entry *e;
    int rc = find_own(s, r, &e);
    if (rc != 0)
        return rc;
    set_expiry(s->state, e);
    return 0;
}

/* What is due ---------------------------------------------------------------------------------- */

static void expire(struct server *n, uint64_t now)
{
    n->due = K_FOREVER;
    for (int i = 0; i < n->names; i++) {
        struct entry *e = &n->entry[i];
        if (e->life == LIVE && e->expiry <= now)
            perish(n, e);
        else if (e->life == LIVE && e->expiry < n->due)
            n->due = e->expiry;
    }
}

static void told(struct svc_server *s, void *cookie, uint64_t number, int result)
{
    (void)s, (void)number, (void)result;
    ((struct entry *)cookie)->flying--;
}

/* Tells the users of a dying name, as far as there is room. */
static void bury(struct svc_server *s, struct entry *e)
{
    struct server *n = s->state;
    struct b_bitmap know = users(n, e);
    int node;
    while ((node = b_bitmap_next(&know, 0)) >= 0 && svc_room(s) >= 0) {
        struct svc_message m = {
            .h = {.service = SVC_NAME_DAEMON, .opcode = DAEMON_GONE, .port = SVC_NOBODY}};
        struct name_gone gone = {e->name, e->version, e->reason};
        m.h.node = (uint16_t)svc_home();
        memcpy(m.body, &gone, sizeof gone);
        b_bitmap_clear(&know, (uint32_t)node);
        e->flying++;
        svc_send(s, node, svc_port(SVC_NAME_DAEMON), &m, sizeof m.h + sizeof gone, told, e, 0);
    }
    if (node < 0 && e->flying == 0 && svc_room(s) >= 0) {
        svc_answer_status(s, &e->by, 0);
        e->life = FREE;
        n->dying--;
    }
}

static uint64_t tick(struct svc_server *s, uint64_t now)
{
    struct server *n = s->state;
    if (n->due <= now)
        expire(n, now);
    for (int i = 0, left = n->dying; left > 0 && i < n->names; i++) {
        if (n->entry[i].life == DYING) {
            left--;
            bury(s, &n->entry[i]);
        }
    }
    return n->due;
}

const struct svc_class svc_name_server = {
    .name = "name server",
    .service = SVC_NAME,
    .op = {[NAME_LINK] = {link, sizeof(struct name_link), sizeof(struct name_version), 0},
           [NAME_UNLINK] = {unlink, sizeof(struct svc_text), 0, 0},
           [NAME_LOOKUP] = {lookup, sizeof(struct svc_text), 0, 0},
           [NAME_WHERE] = {where, sizeof(struct svc_text), sizeof(struct name_place), 0},
           [NAME_BEAT] = {beat, sizeof(struct svc_text), 0, 0}},
    .tick = tick,
};
