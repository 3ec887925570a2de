/* SPDX-License-Identifier: MIT */
/* The steps of the flow that serves jobs one after the other (souto-2022, figure 9 and algorithm
 * 3):
 *
 *     find --changed victim--> flush ... flushed --> fetch ... fetched --> install --> find
 *       +------------- nothing to write back ---------^  +-- nothing to fetch --^
 *
 * "..." is the exchange with a server. Errors of these steps reach one step, failed, which leaves
 * what is under way and tells the thread. */
#include "rmem/flow.h"

#include <base/error.h>
#include <sys/k_info.h>
#include <sys/k_task.h>

/* Conclusions, by name. */
enum {
    TO_FETCH = K_USER0,
    TO_FLUSH = K_USER1, /* of find */
    TO_FIND = K_USER1,  /* of flushed */
    TO_INSTALL = K_USER1,
    DONE = K_USER0,
    WAIT = K_USER2
};

const uint8_t svc_rmem_next[SVC_STEPS][3] = {
    [SVC_STEP_FIND] = {SVC_STEP_FETCH, SVC_STEP_FLUSH, RMEM_REST},
    [SVC_STEP_FLUSH] = {RMEM_REST, RMEM_REST, RMEM_REST},
    [SVC_STEP_FLUSHED] = {SVC_STEP_FETCH, SVC_STEP_FIND, RMEM_REST},
    [SVC_STEP_FETCH] = {RMEM_REST, SVC_STEP_INSTALL, RMEM_REST},
    [SVC_STEP_FETCHED] = {SVC_STEP_INSTALL, RMEM_REST, RMEM_REST},
    [SVC_STEP_INSTALL] = {SVC_STEP_FIND, RMEM_REST, RMEM_REST},
    [SVC_STEP_FAILED] = {SVC_STEP_FIND, RMEM_REST, RMEM_REST},
};

static void end_job(struct svc_rmem *r, int result)
{
    struct svc_rmem_flow *f = &r->flow;
    struct svc_rmem_job *j = f->job;
    f->job = NULL;
    f->line = NULL;
    f->phase = SVC_STEP_FIND;
    if (j->kind == RMEM_FAULT) {
        svc_rmem_fault_resolve(r, j, result);
        return;
    }
    k_wait_lock(&j->wait);
    j->result = result;
    j->done = true;
    k_wake(&j->wait, 1);
    k_wait_unlock(&j->wait);
}

static int fail(struct svc_rmem *r, int e)
{
    r->flow.error = e;
    r->flow.phase = SVC_STEP_FAILED;
    return e;
}

/* Find ----------------------------------------------------------------------------------------- */

/* With the lock: the line becomes the flow's. False: threads still use it, the last one kicks. */
static bool claim(struct svc_rmem *r, struct svc_line *l)
{
    r->flow.line = l;
    l->state = SVC_LINE_BUSY;
    r->hungry = l->pins > 0;
    return l->pins == 0;
}

static int find_page(struct svc_rmem *r)
{
    struct svc_rmem_job *j = r->flow.job;
    uint64_t page = rmem_page_of(j->at);
    struct svc_line *l = svc_rmem_line_find(r, page);
    if (l != NULL) {
        r->flow.line = l;
        r->stat.hits += j->kind == RMEM_FAULT;
        return TO_FETCH;
    }
    l = svc_rmem_line_choose(r);
    if (l == NULL) {
        r->hungry = true;
        return WAIT;
    }
    r->stat.misses++;
    claim(r, l);
    svc_rmem_protect(r, l, K_MAP_NONE);
    if (l->dirty) {
        return TO_FLUSH;
    }
    l->page = page;
    return TO_FETCH;
}

static int find_bytes(struct svc_rmem *r)
{
    return r->flow.job->kind == RMEM_PUT ? TO_FLUSH : TO_FETCH;
}

/* The next line of the job's pages: write it back, or forget it. */
static int find_range(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    const struct svc_rmem_job *j = f->job;
    uint64_t last = j->size - 1 < UINT64_MAX - j->at ? j->at + (j->size - 1) : UINT64_MAX;
    for (; f->cursor < r->how.lines; f->cursor++) {
        struct svc_line *l = &r->line[f->cursor];
        bool in = l->page + (SVC_PAGE - 1) >= j->at && l->page <= last;
        if (l->state == SVC_LINE_FREE || !in) {
            continue;
        }
        if (!claim(r, l)) {
            return WAIT;
        }
        svc_rmem_protect(r, l, j->kind == RMEM_CLEAN ? K_MAP_READ : K_MAP_NONE);
        if (l->dirty && j->kind != RMEM_DISCARD) {
            return TO_FLUSH;
        }
        l->dirty = false;
        l->state = j->kind == RMEM_CLEAN ? SVC_LINE_VALID : SVC_LINE_FREE;
        f->line = NULL;
    }
    return DONE;
}

static int (*const find_kind[RMEM_KINDS])(struct svc_rmem *r) = {
    [RMEM_PAGE] = find_page,     [RMEM_FAULT] = find_page,  [RMEM_GET] = find_bytes,
    [RMEM_PUT] = find_bytes,     [RMEM_CLEAN] = find_range, [RMEM_DROP] = find_range,
    [RMEM_DISCARD] = find_range,
};

/* Faults first: calls cannot keep them waiting, for a thread that calls faults no more. */
static struct svc_rmem_job *next_job(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    f->cursor = 0;
    while (svc_rmem_fault_take(r, &f->fault)) {
        if (f->fault.result == 0) {
            return &f->fault;
        }
        svc_rmem_fault_resolve(r, &f->fault, f->fault.result);
    }
    k_wait_lock(&r->bell);
    struct b_node *node = b_queue_pop(&r->jobs);
    k_wait_unlock(&r->bell);
    return node == NULL ? NULL : b_container(node, struct svc_rmem_job, node);
}

/* The line of a job that failed: what it had is kept, what it should have got is not there. */
static void restore(struct svc_rmem *r)
{
    struct svc_line *l = r->flow.line;
    k_wait_lock(&r->bell);
    if (l != NULL && l->state == SVC_LINE_BUSY) {
        l->state = l->dirty ? SVC_LINE_VALID : SVC_LINE_FREE;
    }
    k_wait_unlock(&r->bell);
}

static int find(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    if (f->phase != SVC_STEP_FIND) {
        return WAIT; /* kicked in the middle of a job */
    }
    if (f->error < 0) {
        if (!svc_rmem_withdrawn(r)) {
            return WAIT;
        }
        int e = f->error;
        f->error = 0;
        restore(r);
        end_job(r, e);
    }
    while (f->job != NULL || (f->job = next_job(r)) != NULL) {
        k_wait_lock(&r->bell);
        int c = find_kind[f->job->kind](r);
        k_wait_unlock(&r->bell);
        if (c == DONE && f->job->kind >= RMEM_CLEAN) {
            end_job(r, 0);
            continue;
        }
        f->phase = c == TO_FLUSH ? SVC_STEP_FLUSH : c == TO_FETCH ? SVC_STEP_FETCH : SVC_STEP_FIND;
        return c;
    }
    return WAIT;
}

/* Flush ---------------------------------------------------------------------------------------- */

static int flush(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    const struct svc_rmem_job *j = f->job;
    f->phase = SVC_STEP_FLUSHED;
    int e = j->kind == RMEM_PUT
                ? svc_rmem_ask(r, j->at, j->buf, j->size, true)
                : svc_rmem_ask(r, f->line->page, svc_rmem_frame(r, f->line), SVC_PAGE, true);
    return e < 0 ? fail(r, e) : DONE;
}

static int flushed(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    int e = f->phase == SVC_STEP_FLUSHED ? svc_rmem_answered(r) : 0;
    if (e <= 0) {
        return e < 0 ? fail(r, e) : WAIT;
    }
    f->phase = SVC_STEP_FETCH;
    struct svc_line *l = f->line;
    k_wait_lock(&r->bell);
    r->stat.written++;
    if (l != NULL) {
        l->dirty = false;
    }
    if (f->job->kind == RMEM_PAGE || f->job->kind == RMEM_FAULT) {
        l->page = rmem_page_of(f->job->at);
    } else if (l != NULL) {
        l->state = f->job->kind == RMEM_CLEAN ? SVC_LINE_VALID : SVC_LINE_FREE;
        f->line = NULL;
        f->phase = SVC_STEP_FIND;
    }
    k_wait_unlock(&r->bell);
    return f->phase == SVC_STEP_FIND ? TO_FIND : TO_FETCH;
}

/* Fetch ---------------------------------------------------------------------------------------- */

static int fetch(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    const struct svc_rmem_job *j = f->job;
    bool there = j->kind == RMEM_PUT || (f->line != NULL && f->line->state == SVC_LINE_VALID);
    if (there) {
        return TO_INSTALL;
    }
    f->phase = SVC_STEP_FETCHED;
    int e = j->kind == RMEM_GET
                ? svc_rmem_ask(r, j->at, j->buf, j->size, false)
                : svc_rmem_ask(r, f->line->page, svc_rmem_frame(r, f->line), SVC_PAGE, false);
    return e < 0 ? fail(r, e) : DONE;
}

static int fetched(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    int e = f->phase == SVC_STEP_FETCHED ? svc_rmem_answered(r) : 0;
    if (e <= 0) {
        return e < 0 ? fail(r, e) : WAIT;
    }
    f->phase = SVC_STEP_INSTALL;
    k_wait_lock(&r->bell);
    r->stat.fetched++;
    if (f->line != NULL) {
        svc_rmem_line_fetched(r, f->line);
    }
    k_wait_unlock(&r->bell);
    return DONE;
}

/* Install -------------------------------------------------------------------------------------- */

/* What was written past the cache is seen by who reads in it. */
static void update(struct svc_rmem *r)
{
    const struct svc_rmem_job *j = r->flow.job;
    k_wait_lock(&r->bell);
    struct svc_line *l = svc_rmem_line_find(r, rmem_page_of(j->at));
    k_wait_unlock(&r->bell);
    if (l != NULL) { /* only the flow takes lines away */
        k_copy(svc_rmem_frame(r, l) + (j->at - l->page), j->buf, j->size);
    }
}

static int install(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    struct svc_rmem_job *j = f->job;
    if (j->kind == RMEM_PUT) {
        update(r);
    }
    int e = 0;
    if (f->line != NULL) {
        k_wait_lock(&r->bell);
        e = j->kind == RMEM_FAULT ? svc_rmem_show(r, f->line, j->write) : 0;
        f->line->state = SVC_LINE_VALID;
        f->line->pins += e == 0;
        svc_rmem_line_used(r, f->line);
        j->line = f->line;
        k_wait_unlock(&r->bell);
    }
    end_job(r, e);
    return DONE;
}

static int failed(struct svc_rmem *r)
{
    r->flow.phase = SVC_STEP_FIND;
    return DONE;
}

rmem_step *const svc_rmem_steps[SVC_STEPS] = {
    [SVC_STEP_FIND] = find,     [SVC_STEP_FLUSH] = flush,     [SVC_STEP_FLUSHED] = flushed,
    [SVC_STEP_FETCH] = fetch,   [SVC_STEP_FETCHED] = fetched, [SVC_STEP_INSTALL] = install,
    [SVC_STEP_FAILED] = failed,
};
