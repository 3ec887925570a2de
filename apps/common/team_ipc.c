/* SPDX-License-Identifier: MIT */
/* A team on the kernel's mailboxes and portals: the baseline of uller-2021 (6.2), which calls it
 * IPC. A message is one mail with its length and, if it fits, itself; a longer one follows through
 * the portals, whose reader names the writer, so that the writer need not announce itself. */
#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <base/fmt.h>
#include <svc/spawn.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_thread.h>

#include "team_ipc.h"

enum { INLINE = HAL_MAIL_DATA - sizeof(uint64_t) };
#define MEET_SECONDS 60 /* a rank that is so late will not come */
enum { MEET_CYCLES = 2000, MEET_CYCLES_MOST = 1 << 20 };

const char team_form_name[] = "IPC";

/* A message, or how long the one is that follows by portal. */
struct mail {
    uint64_t n;
    uint8_t data[INLINE];
};
_Static_assert(sizeof(struct mail) == HAL_MAIL_DATA, "a message is one mail");

/* The first mail between two ranks. */
struct hello {
    int32_t rank, portal_port;
};

long team_must(const struct team *t, const char *call, long result)
{
    char why[120];

    if (result >= 0)
        return result;
    b_fmt(why, sizeof why, "%s: %s", call, b_error_message((int)result));
    team_abort(t, 3, why);
}

static const struct svc_job *job(void)
{
    return ((const struct svc_rank *)k_thread_local())->job;
}

static struct svc_place place(int rank)
{
    struct k_info info;

    k_info(&info);
    return svc_spawn_place(job(), rank, info.compute_clusters, info.user_core, info.cores);
}

struct k_source team_place(int rank)
{
    struct svc_place p = place(rank);

    return (struct k_source){p.cluster, p.local};
}

static void find_homes(struct team *t)
{
    int first[HAL_CLUSTERS_MAX];

    t->home = malloc((size_t)t->ranks * sizeof *t->home);
    if (!t->home)
        team_abort(t, 3, "no memory for the list of clusters");
    for (int i = 0; i < HAL_CLUSTERS_MAX; i++)
        first[i] = -1;
    for (int rank = 0; rank < t->ranks; rank++) {
        int *home = &first[place(rank).cluster];
        *home = *home < 0 ? rank : *home;
        t->home[rank] = *home;
    }
}

static void open_objects(struct team *t)
{
    struct team_form *f = t->form;
    int port = place(t->rank).local;

    f->inbox = (int)team_must(t, "k_mailbox_create", k_mailbox_create(port));
    f->portal_in = (int)team_must(t, "k_portal_create", k_portal_create(port));
    f->outbox = (int)team_must(t, "k_mailbox_open", k_mailbox_open(K_ANY, K_ANY));
    f->portal_out = (int)team_must(t, "k_portal_open", k_portal_open(K_ANY, K_ANY));
    f->named = (struct k_source){K_ANY, K_ANY};
}

/* Reads from whoever writes, remembers who that is. */
static void hear(struct team *t)
{
    struct team_form *f = t->form;
    struct team_peer *p = &f->peer[f->peers++];
    struct hello h;

    team_must(t, "k_mailbox_read", k_mailbox_read(f->inbox, &h, sizeof h, &p->mailbox));
    p->rank = h.rank;
    p->portal = (struct k_source){p->mailbox.node, h.portal_port};
}

/* The other rank may not be there yet: asks again, ever more slowly. */
static void greet(struct team *t, int rank)
{
    struct team_form *f = t->form;
    struct k_source to = team_place(rank);
    struct hello h = {t->rank, k_portal_get_port(f->portal_out)};
    double end = team_time(t) + MEET_SECONDS;
    uint64_t pause = MEET_CYCLES;
    int result = k_mailbox_writeto(f->outbox, to.node, to.port, &h, sizeof h);

    while (result == -B_ENOTCONN && team_time(t) < end) {
        k_thread_sleep(pause);
        pause = pause < MEET_CYCLES_MOST ? 2 * pause : pause;
        result = k_mailbox_writeto(f->outbox, to.node, to.port, &h, sizeof h);
    }
    team_must(t, "k_mailbox_writeto", result);
}

/* A rank greets its master when its whole crew has greeted it, so rank 0 has heard of all when the
 * answers begin to go down. */
static void meet(struct team *t)
{
    struct team_form *f = t->form;

    f->peer = malloc((size_t)(t->crew + 1) * sizeof *f->peer);
    if (!f->peer)
        team_abort(t, 3, "no memory for the list of peers");
    for (int i = 0; i < t->crew; i++)
        hear(t);
    if (t->master >= 0) {
        greet(t, t->master);
        hear(t);
    }
    for (int i = 0; i < t->crew; i++)
        greet(t, t->member[i]);
}

void team_begin(struct team *t, int *argc, char ***argv)
{
    const struct svc_rank *self = k_thread_local();

    (void)argc, (void)argv;
    *t = (struct team){.rank = self->rank, .ranks = self->job->ranks};
    t->form = calloc(1, sizeof *t->form);
    if (!t->form)
        team_abort(t, 3, "no memory for a rank");
    find_homes(t);
    team_arrange(t);
    t->form->request = calloc((size_t)team_requests_most(t), sizeof *t->form->request);
    if (!t->form->request)
        team_abort(t, 3, "no memory for requests");
    open_objects(t);
    meet(t);
}

void team_end(struct team *t)
{
    struct team_form *f = t->form;

    team_barrier(t);
    k_mailbox_unlink(f->inbox);
    k_portal_unlink(f->portal_in);
    k_mailbox_close(f->outbox);
    k_portal_close(f->portal_out);
    free(f->request);
    free(f->peer);
    free(f);
    free(t->before);
    free(t->member);
    free(t->home);
}

void team_send(struct team *t, int to, const void *from, size_t n)
{
    if (t->published) {
        team_send_published(t, to, from, n);
        return;
    }
    const struct team_form *f = t->form;
    struct k_source at = team_place(to);
    struct mail m = {.n = n};
    bool fits = n <= INLINE;

    if (fits && n)
        memcpy(m.data, from, n);
    team_must(t, "k_mailbox_writeto",
              k_mailbox_writeto(f->outbox, at.node, at.port, &m, sizeof m.n + (fits ? n : 0)));
    if (fits)
        return;
    team_must(t, "k_portal_awrite", k_portal_awrite(f->portal_out, &at, from, n, K_PORTAL_QUIET));
    team_must(t, "writing by portal", k_ikc_wait(K_PORTAL, f->portal_out, K_FOREVER));
}

static const struct team_peer *find_peer(const struct team *t, int rank)
{
    const struct team_form *f = t->form;

    for (int i = 0; i < f->peers; i++)
        if (f->peer[i].rank == rank)
            return &f->peer[i];
    team_abort(t, 3, "a message from a rank that is neither the master nor of the crew");
}

static void listen_to(struct team *t, struct k_source who)
{
    struct team_form *f = t->form;

    if (f->named.node == who.node && f->named.port == who.port)
        return;
    team_must(t, "k_mailbox_set_remote", k_mailbox_set_remote(f->inbox, who.node, who.port));
    f->named = who;
}

size_t team_recv(struct team *t, int from, void *to, size_t most)
{
    if (t->published)
        return team_recv_published(t, from, to, most);
    const struct team_form *f = t->form;
    const struct team_peer *p = find_peer(t, from);
    struct mail m;

    listen_to(t, p->mailbox);
    team_must(t, "k_mailbox_read", k_mailbox_read(f->inbox, &m, sizeof m, NULL));
    if (m.n > most)
        team_abort(t, 3, "a message is longer than its receiver expects");
    if (m.n <= INLINE) {
        if (m.n)
            memcpy(to, m.data, m.n);
        return m.n;
    }
    team_must(t, "k_portal_aread", k_portal_aread(f->portal_in, &p->portal, to, m.n, NULL));
    return (size_t)team_must(t, "reading by portal", k_ikc_wait(K_PORTAL, f->portal_in, K_FOREVER));
}

/* Up the team, and down again. */
void team_barrier(struct team *t)
{
    for (int i = 0; i < t->crew; i++)
        team_recv(t, t->member[i], NULL, 0);
    if (t->master >= 0) {
        team_send(t, t->master, NULL, 0);
        team_recv(t, t->master, NULL, 0);
    }
    for (int i = 0; i < t->crew; i++)
        team_send(t, t->member[i], NULL, 0);
}

double team_time(const struct team *t)
{
    (void)t;
    return (double)k_time_ns() * 1e-9;
}

void team_work(const struct team *t, double cycles)
{
    (void)t;
    k_work((uint64_t)cycles);
}

void *team_alloc(const struct team *t, size_t n, const char *what)
{
    char why[120];
    void *p;

    if (k_page_alloc(n ? n : 1, &p) == 0)
        return p;
    b_fmt(why, sizeof why, "the cluster has no memory for %s (%lu bytes)", what, (unsigned long)n);
    team_abort(t, 3, why);
}

void team_free(const struct team *t, void *p, size_t n)
{
    (void)t;
    if (p)
        k_page_free(p, n ? n : 1);
}

_Noreturn void team_abort(const struct team *t, int code, const char *why)
{
    char line[200];

    b_fmt(line, sizeof line, "rank %d: %s", t->rank, why);
    k_abort(code, line);
}
