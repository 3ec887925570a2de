/* SPDX-License-Identifier: MIT */
/* The steps of the flow that serves jobs one after the other (souto-2022, figure 9 and algorithm
 * 3):
 *
 *     find --changed victim--> flush ... flushed --> fetch ... fetched --> install --> find
 *       +------------- nothing to write back ---------^  +-- nothing to fetch --^
 *
 * "..." is the exchange with a server; where there is a guard, fetch and fetched first ask it, and
 * come a second time for the page. Errors of these steps reach one step, failed, which leaves what
 * is under way and tells the thread.
 *
 * Two flows of a cache meet at its lines only. A line that one of them works at is BUSY, and the
 * other waits (hungry) until it is not. Nobody waits for a line that ASKS: what the guard takes
 * back does not wait for what it has not given yet. */
#include "rmem/flow.h"

#include <base/error.h>
#include <sys/k_info.h>
#include <sys/k_task.h>

/* Conclusions, by name. */
enum {
    TO_FETCH = K_USER0,
    TO_FLUSH = K_USER1,   /* of find */
    TO_FIND = K_USER1,    /* of flushed */
    TO_INSTALL = K_USER1, /* of fetch */
    AGAIN = K_USER1,      /* of fetched */
    DONE = K_USER0,
    WAIT = K_USER2
};

const uint8_t svc_rmem_next[SVC_STEPS][3] = {
    [SVC_STEP_FIND] = {SVC_STEP_FETCH, SVC_STEP_FLUSH, RMEM_REST},
    [SVC_STEP_FLUSH] = {RMEM_REST, RMEM_REST, RMEM_REST},
    [SVC_STEP_FLUSHED] = {SVC_STEP_FETCH, SVC_STEP_FIND, RMEM_REST},
    [SVC_STEP_FETCH] = {RMEM_REST, SVC_STEP_INSTALL, RMEM_REST},
    [SVC_STEP_FETCHED] = {SVC_STEP_INSTALL, SVC_STEP_FETCH, RMEM_REST},
    [SVC_STEP_INSTALL] = {SVC_STEP_FIND, RMEM_REST, RMEM_REST},
    [SVC_STEP_FAILED] = {SVC_STEP_FIND, RMEM_REST, RMEM_REST},
};

static void end_job(struct svc_rmem_flow *f, int result)
{
    struct svc_rmem *r = f->r;
    struct svc_rmem_job *j = f->job;
    f->job = NULL;
    f->line = NULL;
    f->pinned = false;
    f->phase = SVC_STEP_FIND;
    svc_rmem_awake(r);
    if (j->kind == RMEM_FAULT) {
        svc_rmem_fault_resolve(r, j, result);
        return;
    }
    j->result = result;
    if (j->ended) {
        j->ended(j);
        return;
    }
    k_wait_lock(&j->wait);
    j->done = true;
    k_wake(&j->wait, 1);
    k_wait_unlock(&j->wait);
}

static int fail(struct svc_rmem_flow *f, int e)
{
    f->error = e;
    f->phase = SVC_STEP_FAILED;
    return e;
}

/* Find ----------------------------------------------------------------------------------------- */

/* With the lock: the line becomes the flow's. False: threads still use it, the last one kicks. */
static bool claim(struct svc_rmem_flow *f, struct svc_line *l)
{
    f->line = l;
    l->state = SVC_LINE_BUSY;
    f->hungry = l->pins > 0;
    return l->pins == 0;
}

static int hungry(struct svc_rmem_flow *f)
{
    f->hungry = true;
    return WAIT;
}

static void take_over(struct svc_rmem_flow *f)
{
    f->line->page = rmem_page_of(f->job->at);
    f->line->rights = f->r->how.guard ? K_MAP_NONE : K_MAP_WRITE;
}

static int find_present(struct svc_rmem_flow *f, struct svc_line *l)
{
    const struct svc_rmem_job *j = f->job;
    if (l->state != SVC_LINE_VALID)
        return hungry(f);
    f->line = l;
    f->r->stat.hits += j->kind == RMEM_FAULT;
    f->pinned = l->rights >= svc_rmem_right(j->write);
    l->pins += f->pinned;
    l->held = !f->pinned;
    return TO_FETCH;
}

static int find_page(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    struct svc_line *l = svc_rmem_line_find(r, rmem_page_of(f->job->at));
    if (l)
        return find_present(f, l);
    l = svc_rmem_line_choose(r);
    if (!l)
        return hungry(f);
    r->stat.misses++;
    claim(f, l);
    svc_rmem_protect(r, l, K_MAP_NONE);
    if (l->dirty)
        return TO_FLUSH;
    take_over(f);
    return TO_FETCH;
}

static int find_bytes(struct svc_rmem_flow *f)
{
    return f->job->kind == RMEM_PUT ? TO_FLUSH : TO_FETCH;
}

/* The next line of the job's pages: write it back, or forget it. */
static int find_range(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    const struct svc_rmem_job *j = f->job;
    uint64_t last = j->size - 1 < UINT64_MAX - j->at ? j->at + (j->size - 1) : UINT64_MAX;
    for (; f->cursor < r->how.lines; f->cursor++) {
        struct svc_line *l = &r->line[f->cursor];
        bool in = l->page + (SVC_PAGE - 1) >= j->at && l->page <= last;
        if (l->state == SVC_LINE_FREE || l->state == SVC_LINE_ASKS || !in)
            continue;
        if (l->held || (l->state == SVC_LINE_BUSY && f->line != l))
            return hungry(f);
        if (!claim(f, l))
            return WAIT;
        svc_rmem_protect(r, l, j->kind == RMEM_CLEAN ? K_MAP_READ : K_MAP_NONE);
        if (l->dirty && j->kind != RMEM_DISCARD)
            return TO_FLUSH;
        l->dirty = false;
        l->state = j->kind == RMEM_CLEAN ? SVC_LINE_VALID : SVC_LINE_FREE;
        f->line = NULL;
    }
    return DONE;
}

static int find_recall(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    const struct svc_rmem_job *j = f->job;
    struct svc_line *l = svc_rmem_line_find(r, j->at);
    bool gone = !l || l->state == SVC_LINE_ASKS;
    if (f->cursor > 0 || gone)
        return DONE;
    if (l->state == SVC_LINE_BUSY && f->line != l)
        return hungry(f);
    if (!claim(f, l))
        return WAIT;
    if (l->dirty) {
        svc_rmem_protect(r, l, j->keep ? K_MAP_READ : K_MAP_NONE);
        return TO_FLUSH;
    }
    l->state = SVC_LINE_VALID;
    svc_rmem_line_recall(r, j->at, j->keep);
    return DONE;
}

static int (*const find_kind[RMEM_KINDS])(struct svc_rmem_flow *f) = {
    [RMEM_PAGE] = find_page,     [RMEM_FAULT] = find_page,    [RMEM_GET] = find_bytes,
    [RMEM_PUT] = find_bytes,     [RMEM_CLEAN] = find_range,   [RMEM_DROP] = find_range,
    [RMEM_DISCARD] = find_range, [RMEM_RECALL] = find_recall,
};

/* Faults first: calls cannot keep them waiting, for a thread that calls faults no more. */
static struct svc_rmem_job *next_job(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    f->cursor = 0;
    while (f == &r->flow[0] && svc_rmem_fault_take(r, &f->fault)) {
        if (f->fault.result == 0)
            return &f->fault;
        svc_rmem_fault_resolve(r, &f->fault, f->fault.result);
    }
    k_wait_lock(&r->bell);
    struct b_node *node = b_queue_pop(&f->jobs);
    k_wait_unlock(&r->bell);
    return node ? b_container(node, struct svc_rmem_job, node) : NULL;
}

/* The line of a job that failed: what it had is kept, what it should have got is not there. */
static void restore(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    struct svc_line *l = f->line;
    k_wait_lock(&r->bell);
    bool other = f->claims && l->state == SVC_LINE_BUSY; /* it is being taken back */
    if (l && !other) {
        bool has = l->dirty || l->state == SVC_LINE_VALID;
        l->state = has ? SVC_LINE_VALID : SVC_LINE_FREE;
    }
    if (l) {
        l->held = l->held && !f->claims;
        l->pins -= f->pinned;
    }
    f->claims = false;
    k_wait_unlock(&r->bell);
}

/* Nothing of the last job is left: false, not yet. */
static bool settle(struct svc_rmem_flow *f)
{
    if (f->error < 0) {
        if (!svc_rmem_withdrawn(f))
            return false;
        int e = f->error;
        f->error = 0;
        restore(f);
        end_job(f, e);
    }
    if (f->granted && svc_rmem_told(f)) {
        f->granted = false;
        svc_rmem_tell(f, f->page);
    }
    return svc_rmem_told(f);
}

static int find(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    /* It may also be kicked in the middle of a job. */
    if (f->phase != SVC_STEP_FIND || !settle(f))
        return WAIT;
    while (f->job || (f->job = next_job(f))) {
        k_wait_lock(&r->bell);
        int c = find_kind[f->job->kind](f);
        k_wait_unlock(&r->bell);
        if (c == DONE && f->job->kind >= RMEM_CLEAN) {
            end_job(f, 0);
            continue;
        }
        f->phase = c == TO_FLUSH ? SVC_STEP_FLUSH : c == TO_FETCH ? SVC_STEP_FETCH : SVC_STEP_FIND;
        return c;
    }
    return WAIT;
}

/* Flush ---------------------------------------------------------------------------------------- */

static int flush(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    const struct svc_rmem_job *j = f->job;
    f->phase = SVC_STEP_FLUSHED;
    int e = j->kind == RMEM_PUT
                ? svc_rmem_ask(f, j->at, j->buf, j->size, true)
                : svc_rmem_ask(f, f->line->page, svc_rmem_frame(r, f->line), SVC_PAGE, true);
    return e < 0 ? fail(f, e) : DONE;
}

static int flushed(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    int e = f->phase == SVC_STEP_FLUSHED ? svc_rmem_answered(f) : 0;
    if (e <= 0)
        return e < 0 ? fail(f, e) : WAIT;
    const struct svc_rmem_job *j = f->job;
    struct svc_line *l = f->line;
    f->phase = j->kind >= RMEM_CLEAN ? SVC_STEP_FIND : SVC_STEP_FETCH;
    k_wait_lock(&r->bell);
    r->stat.written++;
    if (l)
        l->dirty = false;
    if (j->kind == RMEM_PAGE || j->kind == RMEM_FAULT) {
        take_over(f);
    } else if (j->kind == RMEM_RECALL) {
        l->state = SVC_LINE_VALID;
        svc_rmem_line_recall(r, j->at, j->keep);
        f->cursor++;
    } else if (j->kind >= RMEM_CLEAN) {
        l->state = j->kind == RMEM_CLEAN ? SVC_LINE_VALID : SVC_LINE_FREE;
        f->line = NULL;
    }
    k_wait_unlock(&r->bell);
    svc_rmem_awake(r); /* the page that was there is no longer BUSY */
    return f->phase == SVC_STEP_FIND ? TO_FIND : TO_FETCH;
}

/* Fetch ---------------------------------------------------------------------------------------- */

/* Does the guard have to be asked before this? Then the line shows that it is. */
static bool needs_rights(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    struct svc_line *l = f->line;
    if (!l)
        return false;
    k_wait_lock(&r->bell);
    bool needs = l->rights < svc_rmem_right(f->job->write);
    if (needs && !l->held)
        l->state = SVC_LINE_ASKS;
    k_wait_unlock(&r->bell);
    return needs;
}

static int fetch(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    const struct svc_rmem_job *j = f->job;
    if (j->kind == RMEM_PUT || f->pinned)
        return TO_INSTALL;
    f->claims = needs_rights(f);
    f->phase = SVC_STEP_FETCHED;
    int e = f->claims ? svc_rmem_claim(f, rmem_page_of(j->at), j->write)
            : j->kind == RMEM_GET
                ? svc_rmem_ask(f, j->at, j->buf, j->size, false)
                : svc_rmem_ask(f, f->line->page, svc_rmem_frame(r, f->line), SVC_PAGE, false);
    return e < 0 ? fail(f, e) : DONE;
}

/* The guard has given the rights. True: the page is here already. */
static bool accept(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    struct svc_line *l = f->line;
    f->claims = false;
    f->granted = true;
    f->page = l->page;
    k_wait_lock(&r->bell);
    l->rights = (uint8_t)svc_rmem_right(f->job->write);
    l->held = false;
    bool here = l->state == SVC_LINE_VALID;
    f->pinned = here;
    l->pins += here;
    l->state = here ? SVC_LINE_VALID : SVC_LINE_BUSY;
    k_wait_unlock(&r->bell);
    return here;
}

static int fetched(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    int e = f->phase == SVC_STEP_FETCHED ? svc_rmem_answered(f) : 0;
    if (e <= 0)
        return e < 0 ? fail(f, e) : WAIT;
    if (f->claims && !accept(f)) {
        f->phase = SVC_STEP_FETCH;
        return AGAIN;
    }
    f->phase = SVC_STEP_INSTALL;
    k_wait_lock(&r->bell);
    if (!f->pinned)
        r->stat.fetched++;
    if (f->line)
        svc_rmem_line_fetched(r, f->line);
    k_wait_unlock(&r->bell);
    return DONE;
}

/* Install -------------------------------------------------------------------------------------- */

/* What was written past the cache is seen by who reads in it. */
static void update(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    const struct svc_rmem_job *j = f->job;
    k_wait_lock(&r->bell);
    struct svc_line *l = svc_rmem_line_find(r, rmem_page_of(j->at));
    k_wait_unlock(&r->bell);
    if (l) /* only the flow takes lines away */
        k_copy(svc_rmem_frame(r, l) + (j->at - l->page), j->buf, j->size);
}

static int install(struct svc_rmem_flow *f)
{
    struct svc_rmem *r = f->r;
    struct svc_rmem_job *j = f->job;
    if (j->kind == RMEM_PUT)
        update(f);
    int e = 0;
    if (f->line) {
        k_wait_lock(&r->bell);
        e = j->kind == RMEM_FAULT ? svc_rmem_show(r, f->line, j->write) : 0;
        f->line->state = SVC_LINE_VALID;
        f->line->pins += (e == 0) - f->pinned;
        svc_rmem_line_used(r, f->line);
        j->line = f->line;
        k_wait_unlock(&r->bell);
    }
    end_job(f, e);
    return DONE;
}

static int failed(struct svc_rmem_flow *f)
{
    f->phase = SVC_STEP_FIND;
    return DONE;
}

rmem_step *const svc_rmem_steps[SVC_STEPS] = {
    [SVC_STEP_FIND] = find,     [SVC_STEP_FLUSH] = flush,     [SVC_STEP_FLUSHED] = flushed,
    [SVC_STEP_FETCH] = fetch,   [SVC_STEP_FETCHED] = fetched, [SVC_STEP_INSTALL] = install,
    [SVC_STEP_FAILED] = failed,
};
