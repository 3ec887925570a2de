/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>

#include "team_ipc.h"

int team_requests_most(const struct team *t)
{
    return 3 * (t->crew + 1);
}

void team_send_published(struct team *t, int to, const void *from, size_t n)
{
    struct k_source at = team_place(to);
    int outbox = (int)team_must(t, "k_mailbox_open", k_mailbox_open(at.node, at.port));
    int out = (int)team_must(t, "k_portal_open", k_portal_open(at.node, at.port));
    struct team_request r = {t->rank, k_portal_get_port(out), n};

    team_must(t, "k_mailbox_awrite", k_mailbox_awrite(outbox, K_ANY, K_ANY, &r, sizeof r));
    team_must(t, "writing by mailbox", k_ikc_wait(K_MAILBOX, outbox, K_FOREVER));
    if (n) {
        team_must(t, "k_portal_awrite", k_portal_awrite(out, NULL, from, n, K_PORTAL_QUIET));
        team_must(t, "writing by portal", k_ikc_wait(K_PORTAL, out, K_FOREVER));
    }
    team_must(t, "k_mailbox_close", k_mailbox_close(outbox));
    team_must(t, "k_portal_close", k_portal_close(out));
}

/* The first kept request of `from`. Returns whether there is one. */
static bool kept(struct team_form *f, int from, struct team_request *r)
{
    int i = 0;

    while (i < f->requests && f->request[i].rank != from)
        i++;
    if (i == f->requests)
        return false;
    *r = f->request[i];
    f->requests--;
    memmove(&f->request[i], &f->request[i + 1], (size_t)(f->requests - i) * sizeof *r);
    return true;
}

static void keep(struct team *t, const struct team_request *r)
{
    struct team_form *f = t->form;

    if (f->requests == team_requests_most(t))
        team_abort(t, 3, "more messages wait than their senders may have sent");
    f->request[f->requests++] = *r;
}

size_t team_recv_published(struct team *t, int from, void *to, size_t most)
{
    struct team_form *f = t->form;
    struct k_source place = team_place(from);
    struct team_request r;

    if (!kept(f, from, &r))
        for (;;) {
            team_must(t, "k_mailbox_read", k_mailbox_read(f->inbox, &r, sizeof r, NULL));
            if (r.rank == from)
                break;
            keep(t, &r);
        }
    if (r.n > most)
        team_abort(t, 3, "a message is longer than its receiver expects");
    if (!r.n)
        return 0;
    place.port = r.portal_port;
    team_must(t, "k_portal_aread", k_portal_aread(f->portal_in, &place, to, r.n, NULL));
    return (size_t)team_must(t, "reading by portal", k_ikc_wait(K_PORTAL, f->portal_in, K_FOREVER));
}
