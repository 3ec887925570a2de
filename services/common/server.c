/* SPDX-License-Identifier: MIT */
/* The frame: one round of a server, and the thread that makes rounds. */
#include "common/frame.h"

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>

/* Opening and closing -------------------------------------------------------------------------- */

void svc_server_close(struct svc_server *s)
{
    if (s->begun && s->class->end)
        s->class->end(s);
    if (s->reading)
        k_ikc_cancel(K_MAILBOX, s->in);
    if (s->in >= 0)
        k_mailbox_unlink(s->in);
    for (int i = 0; i < SVC_LINES; i++) {
        if (s->line[i] >= 0) {
            if (s->busy[i] && k_ikc_cancel(K_MAILBOX, s->line[i]) != 0)
                k_ikc_wait(K_MAILBOX, s->line[i], K_FOREVER); /* at the network: ends soon */
            k_mailbox_close(s->line[i]);
        }
    }
}

int svc_server_open(struct svc_server *s, const struct svc_class *class, void *state, int home)
{
    struct k_info info;
    k_info(&info);
    memset(s, 0, sizeof *s);
    s->class = class;
    s->state = state;
    s->home = home;
    s->patience = info.hz;
    s->seen = k_time_cycles();
    s->serial = (uint32_t)k_time_cycles();
    svc_out_init(s);
    s->in = k_mailbox_create(svc_port(class->service));
    int r = s->in < 0 ? s->in : 0;
    for (int i = 0; i < SVC_LINES; i++) {
        s->line[i] = r == 0 ? k_mailbox_open(K_ANY, K_ANY) : -B_ENOMEM;
        r = r < 0 ? r : s->line[i] < 0 ? s->line[i] : 0;
    }
    if (r == 0 && class->begin) {
        s->begun = true;
        r = class->begin(s);
    }
    if (r < 0)
        svc_server_close(s);
    return r;
}

int svc_watch(struct svc_server *s, enum k_facility f, int id)
{
    if (s->watches == SVC_WATCHED)
        return -B_ENOMEM;
    s->watched[s->watches].facility = f;
    s->watched[s->watches++].id = id;
    return 0;
}

void svc_ring(struct svc_server *s)
{
    if (s->task) {
        k_task_signal(s->task);
        return;
    }
    k_bell_ring(&s->bell, K_BELL_FIRST);
}

/* One request ---------------------------------------------------------------------------------- */

static int ping(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)s, (void)r, (void)answer;
    return 0;
}

static int shut_down(struct svc_server *s, const struct svc_request *r, void *answer)
{
    (void)answer;
    if (s->home != K_ANY && r->from.node != s->home)
        return -B_EPERM;
    s->ending = true;
    s->leaves = svc_patience_end(s);
    return 0;
}

static const struct svc_op common[SVC_OP_FIRST] = {
    [SVC_OP_PING] = {ping, 0, 0, 0},
    [SVC_OP_SHUTDOWN] = {shut_down, 0, 0, 0},
};

static const struct svc_op *find(const struct svc_class *class, int opcode)
{
    const struct svc_op *op = NULL;
    if (opcode < SVC_OP_FIRST)
        op = &common[opcode];
    else if (opcode < SVC_OPS_MAX)
        op = &class->op[opcode];
    return op && op->handler ? op : NULL;
}

/* What is wrong with a request of `n` bytes; 0 nothing. */
static int judge(const struct svc_server *s, const struct svc_request *r, const struct svc_op *op,
                 size_t n)
{
    const struct svc_header *h = &r->m->h;
    if (h->service != s->class->service || h->zero != 0 || h->status != 0)
        return -B_EPROTO;
    if (!op)
        return -B_ENOSYS;
    if (n != sizeof *h + op->size)
        return -B_EPROTO;
    struct k_info info;
    k_info(&info);
    bool forwarded = (op->flags & SVC_FORWARDED) != 0 && r->from.node == svc_home();
    bool foreign = (op->flags & SVC_LOCAL) != 0 && r->from.node != info.cluster;
    return foreign || (h->node != r->from.node && !forwarded) ? -B_EPERM : 0;
}

/* Answers to requests are never answered, so no two servers can keep each other busy. */
static void serve(struct svc_server *s, size_t n)
{
    const struct svc_message *m = &s->request;
    if (n < sizeof m->h) {
        s->refused++;
        return;
    }
    if ((m->h.opcode & SVC_ANSWER) != 0) {
        memset((char *)m + n, 0, sizeof *m - n);
        s->refused += !svc_call_answer(s, m, s->from.node);
        return;
    }
    struct svc_request r = {
        .m = m,
        .from = s->from,
        .ticket = {m->h.node, m->h.port, m->h.serial, m->h.service, m->h.opcode}};
    const struct svc_op *op = find(s->class, m->h.opcode);
    uint64_t answer[SVC_BODY_MAX / 8] = {0};
    int status = s->ending ? -B_ENOTCONN : judge(s, &r, op, n);
    if (status < 0) {
        s->refused++;
        r.ticket.node = (uint16_t)s->from.node; /* whatever it says */
        svc_answer(s, &r.ticket, status, answer, 0, NULL, NULL, 0);
        return;
    }
    s->requests++;
    status = op->handler(s, &r, answer);
    if (status != SVC_PARKED) {
        size_t size = status == 0 ? op->answer : 0;
        svc_answer(s, &r.ticket, status, answer, size, NULL, NULL, 0);
    }
}

/* Takes one request if there is one and what it may need; true: look again. */
static bool take(struct svc_server *s)
{
    if (svc_room(s) < 0)
        return false;
    if (!s->reading)
        s->reading = k_mailbox_aread(s->in, &s->request, sizeof s->request, &s->from) == 0;
    if (!s->reading || k_ikc_test(K_MAILBOX, s->in) != 1)
        return false;
    long n = k_ikc_wait(K_MAILBOX, s->in, 0);
    s->reading = false;
    if (n >= 0)
        serve(s, (size_t)n);
    return true;
}

/* Rounds --------------------------------------------------------------------------------------- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Ends the input. False: a request came that must be refused first, or who sent it would wait for
 * ever; the bell has rung, or will. After `leaves` nobody who sends all the time can keep the
 * server. */
static bool leave(struct svc_server *s)
{
    bool late = svc_late(s, s->leaves);
    if (!late && k_mailbox_retire(s->in) == -B_EBUSY)
        return false;
    if (late)
        k_mailbox_unlink(s->in);
    s->in = -1;
    s->reading = false;
    return true;
}

uint64_t svc_server_step(struct svc_server *s)
{
    uint64_t now = k_time_cycles();
    if (now - s->seen >= svc_slice(s)) {
        s->seen = now;
        s->clock++;
    }
    svc_out_settle(s, now);
    s->wanted = false; /* who still wants it says so in this round */
    uint64_t taken = take(s) ? now : K_FOREVER;
    uint64_t next = earlier(taken, svc_call_step(s, now));
    if (s->class->tick && svc_room(s) >= 0)
        next = earlier(next, s->class->tick(s, now));
    uint64_t out = svc_out_start(s, now);
    bool resting = s->calls == 0 && (!s->class->resting || s->class->resting(s));
    if (s->ending && s->used == 0 && resting)
        return leave(s) ? 0 : earlier(taken, now + svc_slice(s));
    /* Without room nothing else can be done before a message is out. */
    return svc_room(s) < 0 ? out : earlier(s->ending && resting ? taken : next, out);
}

/* The bell is the running thread's, which need not be the one that opened the server. */
static int attach(struct svc_server *s)
{
    int r = k_bell_init(&s->bell, s->class->name);
    r = r < 0 ? r : k_ikc_attach(K_MAILBOX, s->in, &s->bell);
    for (int i = 0; i < SVC_LINES && r == 0; i++)
        r = k_ikc_attach(K_MAILBOX, s->line[i], &s->bell);
    for (int i = 0; i < s->watches && r == 0; i++)
        r = k_ikc_attach(s->watched[i].facility, s->watched[i].id, &s->bell);
    return r;
}

void svc_server_run(struct svc_server *s)
{
    uint64_t next;
    bool attached = attach(s) == 0;
    while (attached && (next = svc_server_step(s)) != 0) {
        uint64_t now = k_time_cycles();
        k_bell_wait(&s->bell, next == K_FOREVER ? K_FOREVER : next > now ? next - now : 0);
        k_bell_take(&s->bell);
    }
    svc_server_close(s);
}
