/* SPDX-License-Identifier: MIT */
/* What a waiting thread waits for, in words, for the report at a deadlock or a time-out. */
#include "ikc/internal.h"

#include <base/fmt.h>

static const char *const where_name[] = {"", ", waits for a free slot", ", sent, not yet answered",
                                         ", refused, waits for room"};
static const char *const reading_name[] = {"", ", no writer yet", ", granted", ", to be copied"};
static const char *const writing_name[] = {
    "",          ", announcing",  ", waits for a grant", ", granted, waits to send",
    ", sending", ", to be copied"};

/* "2:5", "any:5" ... */
static const char *address(char *text, size_t size, struct kern_address a)
{
    if (a.node < 0 && a.port < 0)
        b_fmt(text, size, "any");
    else if (a.node < 0)
        b_fmt(text, size, "any cluster, port %d", a.port);
    else if (a.port < 0)
        b_fmt(text, size, "cluster %d, any port", a.node);
    else
        b_fmt(text, size, "cluster %d, port %d", a.node, a.port);
    return text;
}

static void of_sync(const struct kern_sync *s, char *text, size_t size)
{
    b_fmt(text, size,
          s->o.role == KERN_IN ? "sync wait %d: %u of %u signals are missing"
                               : "sync signal %d: %u signals for %u clusters to be sent",
          s->o.index, (unsigned)s->missing, (unsigned)s->members);
}

void kern_ikc_describe(const struct kern_wait *w, char *text, size_t size)
{
    const struct kern_object *o = b_container(w, struct kern_object, wait);
    bool in = o->role == KERN_IN;
    char a[48];
    if (o->facility == K_SYNC) {
        of_sync(b_container(o, struct kern_sync, o), text, size);
    } else if (o->facility == K_MAILBOX && in) {
        const struct kern_mail_in *m = b_container(o, struct kern_mail_in, o);
        b_fmt(text, size, "mailbox read port %d from %s", o->index,
              address(a, sizeof a, m->filter));
    } else if (o->facility == K_MAILBOX) {
        const struct kern_mail_out *m = b_container(o, struct kern_mail_out, o);
        struct kern_address to = {(int16_t)m->item.to, (int16_t)m->item.port};
        b_fmt(text, size, "mailbox write port %d to %s%s", o->index, address(a, sizeof a, to),
              where_name[m->item.where & 3]);
    } else if (in) {
        const struct kern_portal_in *p = b_container(o, struct kern_portal_in, o);
        b_fmt(text, size, "portal read port %d from %s%s", o->index, address(a, sizeof a, p->from),
              p->wants ? ", waits for a channel" : reading_name[p->reading & 3]);
    } else {
        const struct kern_portal_out *p = b_container(o, struct kern_portal_out, o);
        b_fmt(text, size, "portal write port %d to %s%s", o->index, address(a, sizeof a, p->to),
              writing_name[p->writing < 6 ? p->writing : 0]);
    }
}
