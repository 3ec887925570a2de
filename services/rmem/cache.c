/* SPDX-License-Identifier: MIT */
/* The cache as programs see it. A thread that finds its page in a line pins it and copies by
 * itself; only misses go through the flow. */
#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <svc/daemon.h>
#include "rmem/flow.h"
#include "rmem/wire.h"

enum { LINES_MAX = 4096 };

/* Starting and stopping ------------------------------------------------------------------------ */

static int find_servers(struct svc_rmem *r, struct svc_client *c)
{
    int found = 0, e = 0;
    r->servers = svc_rmem_servers();
    for (int i = 0; i < r->servers; i++) {
        struct rmem_ports ports;
        int answer = svc_rmem_ports(c, i, &ports);
        r->server[i].node = SVC_NOBODY;
        if (answer == 0) {
            r->server[i].node = (uint16_t)svc_rmem_server_node(i);
            r->server[i].out = ports.out;
            r->server[i].in = ports.in;
            found++;
        }
        e = e < 0 ? e : answer;
    }
    return found > 0 ? 0 : e;
}

/* Lines and frames; a frame begins at a multiple of its size, so that it can be mapped. */
static int take_memory(struct svc_rmem *r)
{
    size_t lines = (size_t)r->how.lines;
    if (lines == 0)
        return 0;
    r->memory_size = lines * (SVC_PAGE + sizeof(struct svc_line)) + SVC_PAGE;
    int e = k_page_alloc(r->memory_size, &r->memory);
    if (e < 0) {
        r->memory = NULL;
        return e;
    }
    uintptr_t at = ((uintptr_t)r->memory + SVC_PAGE - 1) & ~(uintptr_t)(SVC_PAGE - 1);
    r->frames = (uint8_t *)at;
    r->line = (struct svc_line *)(at + lines * SVC_PAGE);
    return 0;
}

static void close_channels(struct svc_rmem_flow *f)
{
    if (f->reading)
        k_ikc_cancel(K_MAILBOX, f->mail_in);
    k_mailbox_unlink(f->mail_in);
    k_mailbox_close(f->mail_out);
    k_portal_unlink(f->portal_in);
    k_portal_close(f->portal_out);
}

static int open_channels(struct svc_rmem_flow *f)
{
    f->mail_in = svc_mailbox_create();
    f->mail_out = k_mailbox_open(K_ANY, K_ANY);
    f->portal_in = svc_portal_create();
    f->portal_out = k_portal_open(K_ANY, K_ANY);
    const int id[] = {f->mail_in, f->mail_out, f->portal_in, f->portal_out};
    for (int i = 0; i < 4; i++)
        if (id[i] < 0)
            return id[i];
    f->port_mail = (uint16_t)k_mailbox_get_port(f->mail_in);
    f->port_in = (uint16_t)k_portal_get_port(f->portal_in);
    f->port_out = (uint16_t)k_portal_get_port(f->portal_out);
    return 0;
}

static void give_back(struct svc_rmem *r)
{
    for (int i = 0; i < r->flows; i++)
        close_channels(&r->flow[i]);
    if (r->memory)
        k_page_free(r->memory, r->memory_size);
}

int svc_rmem_start(struct svc_rmem *r, struct svc_client *c, const struct svc_rmem_attr *attr)
{
    struct k_info info;
    k_info(&info);
    const struct svc_rmem_form *form =
        svc_form_default() == &svc_by_tasks ? &svc_rmem_by_tasks : &svc_rmem_by_thread;
    memset(r, 0, sizeof *r);
    r->how = *attr;
    r->how.protocol = attr->protocol ? attr->protocol : &svc_rmem_direct;
    r->how.policy = attr->policy ? attr->policy : &svc_rmem_lru;
    r->how.mode = attr->mode ? attr->mode : &svc_rmem_back;
    r->how.form = attr->form ? attr->form : form;
    r->how.lines = r->how.policy->caches ? attr->lines : 0;
    r->cluster = info.cluster;
    int flows = attr->guard ? SVC_RMEM_FLOWS : 1;
    k_wait_init(&r->bell, "remote memory");
    if (r->how.policy->caches && (attr->lines < 1 || attr->lines > LINES_MAX))
        return -B_EINVAL;
    int e = find_servers(r, c);
    e = e < 0 ? e : take_memory(r);
    if (e < 0)
        return e;
    for (r->flows = 0; e == 0 && r->flows < flows; r->flows++) {
        r->flow[r->flows].r = r;
        e = open_channels(&r->flow[r->flows]);
    }
    if (e == 0 && (e = svc_rmem_space_open(r)) == 0 && (e = r->how.form->begin(r)) < 0)
        svc_rmem_space_close(r);
    if (e < 0)
        give_back(r);
    return e;
}

int svc_rmem_stop(struct svc_rmem *r)
{
    int e = svc_rmem_drop(r, 0, SIZE_MAX);
    svc_rmem_space_close(r);
    r->how.form->end(r);
    give_back(r);
    return e;
}

void svc_rmem_stat(struct svc_rmem *r, struct svc_rmem_stat *stat)
{
    k_wait_lock(&r->bell);
    *stat = r->stat;
    k_wait_unlock(&r->bell);
}

/* Jobs ----------------------------------------------------------------------------------------- */

/* Misses go to the first flow, everything else to the last. */
static void submit(struct svc_rmem *r, struct svc_rmem_job *j)
{
    struct svc_rmem_flow *f = &r->flow[j->kind < RMEM_CLEAN ? 0 : r->flows - 1];
    k_wait_lock(&r->bell);
    b_queue_append(&f->jobs, &j->node);
    k_wait_unlock(&r->bell);
    r->how.form->kick(f);
}

/* Gives a job to the flow and waits for its result. */
static int perform(struct svc_rmem *r, struct svc_rmem_job *j)
{
    k_wait_init(&j->wait, "remote memory");
    submit(r, j);
    k_wait_lock(&j->wait);
    while (!j->done) {
        k_wait_on(&j->wait, K_FOREVER);
        k_wait_lock(&j->wait);
    }
    k_wait_unlock(&j->wait);
    return j->result;
}

int svc_rmem_recall(struct svc_rmem *r, struct svc_rmem_job *j, uint64_t page, bool keep,
                    void (*ended)(struct svc_rmem_job *j), void *arg)
{
    *j = (struct svc_rmem_job){
        .kind = RMEM_RECALL, .at = page, .keep = keep, .ended = ended, .arg = arg};
    k_wait_lock(&r->bell);
    bool done = svc_rmem_line_recall(r, page, keep);
    k_wait_unlock(&r->bell);
    if (!done)
        submit(r, j);
    return done;
}

void svc_rmem_awake(struct svc_rmem *r)
{
    for (int i = 0; i < r->flows; i++) {
        k_wait_lock(&r->bell);
        bool kick = r->flow[i].hungry;
        r->flow[i].hungry = false;
        k_wait_unlock(&r->bell);
        if (kick)
            r->how.form->kick(&r->flow[i]);
    }
}

static int over_range(struct svc_rmem *r, enum rmem_kind kind, uint64_t at, size_t n)
{
    struct svc_rmem_job j = {.kind = kind, .at = at, .size = n};
    return n == 0 ? 0 : perform(r, &j);
}

int svc_rmem_clean(struct svc_rmem *r, uint64_t at, size_t n)
{
    return over_range(r, RMEM_CLEAN, at, n);
}

int svc_rmem_drop(struct svc_rmem *r, uint64_t at, size_t n)
{
    return over_range(r, RMEM_DROP, at, n);
}

int svc_rmem_discard(struct svc_rmem *r, uint64_t at, size_t n)
{
    return over_range(r, RMEM_DISCARD, at, n);
}

/* Access --------------------------------------------------------------------------------------- */

/* Pins the line of a page: 0, or an error of the fetch. */
static int grab(struct svc_rmem *r, uint64_t page, bool write, struct svc_line **line)
{
    k_wait_lock(&r->bell);
    r->stat.gets++;
    struct svc_line *l = svc_rmem_line_find(r, page);
    if (l && l->state == SVC_LINE_VALID && l->rights >= svc_rmem_right(write)) {
        l->pins++;
        r->stat.hits++;
        svc_rmem_line_used(r, l);
        k_wait_unlock(&r->bell);
        *line = l;
        return 0;
    }
    k_wait_unlock(&r->bell);
    struct svc_rmem_job j = {.kind = RMEM_PAGE, .at = page, .write = write};
    int e = perform(r, &j);
    *line = j.line;
    return e;
}

void svc_rmem_let_go(struct svc_rmem *r, struct svc_line *l, bool changed)
{
    k_wait_lock(&r->bell);
    l->dirty = l->dirty || changed;
    l->pins--;
    bool awake = l->pins == 0 && (r->flow[0].hungry || r->flow[1].hungry);
    k_wait_unlock(&r->bell);
    if (awake)
        svc_rmem_awake(r);
}

/* Bytes from `at` to the end of its page, at most n. */
static size_t in_page(uint64_t at, size_t n)
{
    size_t room = SVC_PAGE - (size_t)(at - rmem_page_of(at));
    return n < room ? n : room;
}

static int through(struct svc_rmem *r, enum rmem_kind kind, uint64_t at, void *buf, size_t n)
{
    struct svc_rmem_job j = {.kind = kind, .at = at, .size = n, .buf = buf};
    return perform(r, &j);
}

int svc_rmem_read(struct svc_rmem *r, uint64_t at, void *buf, size_t n)
{
    int e = 0;
    if (!r->how.policy->caches && n > 0)
        return through(r, RMEM_GET, at, buf, n);
    for (size_t some; n > 0 && e == 0; at += some, n -= some, buf = (char *)buf + some) {
        struct svc_line *l;
        some = in_page(at, n);
        e = grab(r, rmem_page_of(at), false, &l);
        if (e == 0) {
            k_copy(buf, svc_rmem_frame(r, l) + (at - rmem_page_of(at)), some);
            svc_rmem_let_go(r, l, false);
        }
    }
    return e;
}

int svc_rmem_write(struct svc_rmem *r, uint64_t at, const void *buf, size_t n)
{
    int e = 0;
    bool caches = r->how.policy->caches;
    if (!caches && n > 0)
        return through(r, RMEM_PUT, at, (void *)buf, n);
    for (size_t some; n > 0 && e == 0; at += some, n -= some, buf = (const char *)buf + some) {
        struct svc_line *l;
        some = in_page(at, n);
        if (r->how.mode->through) {
            e = through(r, RMEM_PUT, at, (void *)buf, some);
            continue;
        }
        e = grab(r, rmem_page_of(at), true, &l);
        if (e == 0) {
            k_copy(svc_rmem_frame(r, l) + (at - rmem_page_of(at)), buf, some);
            svc_rmem_let_go(r, l, true);
        }
    }
    return e;
}
