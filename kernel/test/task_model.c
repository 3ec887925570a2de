/* SPDX-License-Identifier: MIT */
#include "task_model.h"

#include <base/error.h>

enum { RANK_MAX = 14, HIGHEST = 15 };

static void settle(struct model *m, int t);

static bool live(const struct model *m, int t)
{
    return m->task[t].state != K_TASK_INVALID;
}

static bool at_rest(const struct model *m, int t)
{
    enum k_task_state s = m->task[t].state;
    return (s == K_TASK_CREATED || s == K_TASK_COMPLETED || s == K_TASK_ERROR) &&
           !m->task[t].failed;
}

static bool is_dependency_of(const struct model_arc *a, int t)
{
    return a->connected && a->to == t && (a->kind & K_DEPENDENCY) != 0;
}

static int dependencies(const struct model *m, int t)
{
    int n = 0;
    for (int i = 0; i < MODEL_ARCS; i++)
        n += is_dependency_of(&m->arc[i], t);
    return n;
}

static bool all_met(const struct model *m, int t)
{
    for (int i = 0; i < MODEL_ARCS; i++)
        if (is_dependency_of(&m->arc[i], t) && m->arc[i].tokens == 0)
            return false;
    return true;
}

/* The longest walk from t in at most RANK_MAX steps. */
static int rank(const struct model *m, int t)
{
    int now[MODEL_TASKS] = {0}, next[MODEL_TASKS];
    for (int step = 0; step < RANK_MAX; step++) {
        for (int i = 0; i < MODEL_TASKS; i++)
            next[i] = 0;
        for (int i = 0; i < MODEL_ARCS; i++) {
            const struct model_arc *a = &m->arc[i];
            if (a->connected && now[a->to] + 1 > next[a->from])
                next[a->from] = now[a->to] + 1;
        }
        for (int i = 0; i < MODEL_TASKS; i++)
            now[i] = next[i];
    }
    return now[t];
}

static void make_ready(struct model *m, int t, bool again)
{
    struct model_task *task = &m->task[t];
    int at = 0;
    task->state = K_TASK_READY;
    task->level = !m->critical ? 0 : task->high ? HIGHEST : rank(m, t);
    bool front = !m->critical && task->high && !again;
    while (at < m->n_ready && (front ? m->task[m->ready[at]].level > task->level
                                     : m->task[m->ready[at]].level >= task->level))
        at++;
    for (int i = m->n_ready++; i > at; i--)
        m->ready[i] = m->ready[i - 1];
    m->ready[at] = t;
}

static void leave_ready(struct model *m, int t)
{
    int kept = 0;
    for (int i = 0; i < m->n_ready; i++)
        if (m->ready[i] != t)
            m->ready[kept++] = m->ready[i];
    m->n_ready = kept;
}

static void activate(struct model *m, int t)
{
    if (m->task[t].criterion == K_TO_READY)
        make_ready(m, t, false);
    else
        m->task[t].state = m->task[t].criterion == K_TO_STOPPED ? K_TASK_STOPPED : K_TASK_PERIODIC;
}

static void release(struct model *m, int t)
{
    if (at_rest(m, t))
        activate(m, t);
    else
        m->task[t].pending++;
}

/* t is at rest: does anything that came before activate it? */
static void settle(struct model *m, int t)
{
    if (dependencies(m, t) > 0 && all_met(m, t)) {
        for (int i = 0; i < MODEL_ARCS; i++)
            m->arc[i].tokens -= is_dependency_of(&m->arc[i], t);
        activate(m, t);
    } else if (m->task[t].pending > 0) {
        m->task[t].pending--;
        activate(m, t);
    }
}

static void select_arc(struct model *m, struct model_arc *a, bool pass)
{
    int to = a->to;
    bool dependency = (a->kind & K_DEPENDENCY) != 0;
    for (int i = 0; i < K_TASK_ARGS; i++)
        if (pass && (m->passed >> i & 1) != 0)
            m->task[to].arg[i] = m->pass[i];
    a->tokens += dependency;
    if ((a->kind & K_TEMPORARY) != 0)
        a->connected = false;
    if (dependencies(m, to) == 0)
        release(m, to);
    else if (dependency && all_met(m, to) && at_rest(m, to))
        settle(m, to);
}

/* Arcs of t in the order of connecting: the next after `order`. */
static struct model_arc *next_arc(struct model *m, int t, int order)
{
    struct model_arc *best = NULL;
    for (int i = 0; i < MODEL_ARCS; i++) {
        struct model_arc *a = &m->arc[i];
        if (a->connected && a->from == t && a->order > order && (!best || a->order < best->order))
            best = a;
    }
    return best;
}

static void select_arcs(struct model *m, int t, unsigned conditions, bool pass)
{
    struct model_arc *a = next_arc(m, t, -1);
    while (a) {
        int order = a->order;
        if ((a->conditions & conditions) != 0)
            select_arc(m, a, pass);
        a = next_arc(m, t, order);
    }
}

static void reach(struct model *m, int t, int code, int *list, int *n)
{
    struct model_task *task = &m->task[t];
    if (task->failed)
        return;
    task->value = code;
    if (task->state == K_TASK_RUNNING) {
        task->abort = true;
        return;
    }
    leave_ready(m, t);
    task->state = K_TASK_ERROR;
    task->failed = true;
    task->pending = 0;
    for (int i = 0; i < MODEL_ARCS; i++)
        if (m->arc[i].connected && m->arc[i].to == t)
            m->arc[i].tokens = 0;
    list[(*n)++] = t;
}

static void fail(struct model *m, int t, int code)
{
    int list[MODEL_TASKS], n = 0;
    reach(m, t, code, list, &n);
    for (int i = 0; i < n; i++) {
        struct model_arc *a = next_arc(m, list[i], -1);
        while (a) {
            int order = a->order, to = a->to;
            if ((a->conditions & K_THROW) != 0) {
                a->connected = (a->kind & K_TEMPORARY) == 0;
                reach(m, to, code, list, &n);
            }
            a = next_arc(m, list[i], order);
        }
    }
    for (int i = 0; i < n; i++) {
        m->task[list[i]].failed = false;
        for (int k = 0; k < MODEL_ARCS; k++) {
            const struct model_arc *a = &m->arc[k];
            if (a->connected && a->from == list[i] && (a->conditions & K_CATCH) != 0 &&
                m->task[a->to].state != K_TASK_RUNNING)
                m->task[a->to].value = code;
        }
        select_arcs(m, list[i], K_CATCH, false);
        if (at_rest(m, list[i]))
            settle(m, list[i]);
    }
}

static bool makes_sense(int conclusion)
{
    static const int after[] = {0, K_AGAIN, K_STOP, K_PERIODIC};
    for (int i = 0; i < 4; i++)
        if ((conclusion & ~7) == after[i])
            return true;
    return false;
}

static void conclude(struct model *m, int t, int conclusion)
{
    struct model_task *task = &m->task[t];
    int error = conclusion < 0 ? conclusion : makes_sense(conclusion) ? 0 : -B_EINVAL;
    if (task->abort) {
        task->abort = false;
        error = (int)task->value;
    }
    if (error != 0) {
        task->state = K_TASK_COMPLETED;
        fail(m, t, error);
        return;
    }
    task->value = m->value;
    select_arcs(m, t, conclusion == 0 ? K_USER0 : (unsigned)conclusion, true);
    if ((conclusion & K_AGAIN) != 0) {
        make_ready(m, t, true);
    } else if ((conclusion & K_STOP) != 0) {
        task->state = K_TASK_STOPPED;
    } else if ((conclusion & K_PERIODIC) != 0) {
        task->state = K_TASK_PERIODIC;
    } else {
        task->state = K_TASK_COMPLETED;
        settle(m, t);
    }
}

void model_init(struct model *m, bool critical)
{
    *m = (struct model){.critical = critical, .running = -1};
}

int model_create(struct model *m, int t, bool high, enum k_task_criterion criterion)
{
    m->task[t] = (struct model_task){.state = K_TASK_CREATED, .high = high, .criterion = criterion};
    return 0;
}

int model_unlink(struct model *m, int t)
{
    enum k_task_state s = m->task[t].state;
    if (s == K_TASK_INVALID)
        return -B_EBADF;
    bool busy = s == K_TASK_READY || s == K_TASK_RUNNING;
    for (int i = 0; i < MODEL_ARCS; i++)
        busy |= m->arc[i].connected && (m->arc[i].from == t || m->arc[i].to == t);
    if (busy)
        return -B_EBUSY;
    m->task[t].state = K_TASK_INVALID;
    return 0;
}

int model_connect(struct model *m, int arc, int from, int to, unsigned kind, unsigned conditions)
{
    if (m->arc[arc].connected)
        return -B_EBUSY;
    if (!live(m, from) || !live(m, to))
        return -B_EBADF;
    m->arc[arc] = (struct model_arc){true, from, to, 0, m->connects++, kind, conditions};
    return 0;
}

int model_disconnect(struct model *m, int arc)
{
    struct model_arc *a = &m->arc[arc];
    if (!a->connected)
        return -B_ENOENT;
    a->connected = false;
    if (at_rest(m, a->to))
        settle(m, a->to);
    return 0;
}

int model_dispatch(struct model *m, int t, const long *arg)
{
    if (!live(m, t))
        return -B_EBADF;
    if (!at_rest(m, t))
        return -B_EBUSY;
    for (int i = 0; i < K_TASK_ARGS; i++)
        m->task[t].arg[i] = arg[i];
    activate(m, t);
    return 0;
}

int model_signal(struct model *m, int t)
{
    if (!live(m, t))
        return -B_EBADF;
    if (dependencies(m, t) == 0)
        release(m, t);
    return 0;
}

int model_resume(struct model *m, int t)
{
    if (!live(m, t))
        return -B_EBADF;
    if (m->task[t].state != K_TASK_STOPPED)
        return -B_EBUSY;
    make_ready(m, t, false);
    return 0;
}

int model_complete(struct model *m, int t, int conclusion, long value)
{
    enum k_task_state s = m->task[t].state;
    if (s == K_TASK_INVALID)
        return -B_EBADF;
    if (s != K_TASK_STOPPED && s != K_TASK_PERIODIC)
        return -B_EBUSY;
    /* A task that runs meanwhile keeps what it passes and returns. */
    unsigned passed = m->passed;
    long kept = m->value;
    m->passed = 0;
    m->value = value;
    m->task[t].state = K_TASK_RUNNING;
    conclude(m, t, conclusion);
    m->passed = passed;
    m->value = kept;
    return 0;
}

int model_error(struct model *m, int t, int code)
{
    if (!live(m, t))
        return -B_EBADF;
    fail(m, t, code);
    return 0;
}

int model_begin(struct model *m)
{
    if (m->n_ready == 0)
        return -1;
    int t = m->ready[0];
    leave_ready(m, t);
    m->task[t].state = K_TASK_RUNNING;
    m->running = t;
    m->passed = 0;
    m->value = 0;
    return t;
}

void model_end(struct model *m, int conclusion)
{
    int t = m->running;
    m->running = -1;
    conclude(m, t, conclusion);
}
