/* SPDX-License-Identifier: MIT */
/* The kernel's part of a report: every thread of the cluster that waits, for what, and who
 * holds it, or that runs. It may run at any instant and takes no lock. */
#include "../call/user.h"
#include "sched.h"

#include <base/fmt.h>
#include <hal/report.h>
#include <sys/k_wait.h>

/* What a program in user mode waits for may say anything, and none of its functions runs here. */
static void describe_named(const struct kern_thread *t, const char *what, const char *otherwise,
                           char *text, size_t size)
{
    if (!what || t->core->cluster->user->text(text, size, what) != 0)
        b_fmt(text, size, "%s", otherwise);
}

static void describe_queue(const struct kern_thread *t, const struct k_wait *w, char *text,
                           size_t size)
{
    if (t->user_stack)
        describe_named(t, w->what, "wait queue", text, size);
    else if (w->describe)
        w->describe(w, text, size);
    else
        b_fmt(text, size, "%s", w->what ? w->what : "wait queue");
}

static void describe_bell(const struct kern_thread *t, const struct k_bell *b, char *text,
                          size_t size)
{
    if (t->user_stack)
        describe_named(t, b->what, "bell", text, size);
    else if (b->describe)
        b->describe(b, text, size);
    else
        b_fmt(text, size, "%s", b->what ? b->what : "bell");
}

static void describe(const struct kern_thread *t, char *text, size_t size)
{
    const struct kern_wait *kernel = atomic_load_explicit(&t->waits, memory_order_relaxed);
    const struct k_wait *user = atomic_load_explicit(&t->user_waits, memory_order_relaxed);
    const struct k_bell *bell = atomic_load_explicit(&t->bell, memory_order_relaxed);
    const char *other = atomic_load_explicit(&t->asleep, memory_order_relaxed);
    if (kernel && kernel->describe)
        kernel->describe(kernel, text, size);
    else if (kernel)
        b_fmt(text, size, "%s", kernel->what);
    else if (user)
        describe_queue(t, user, text, size);
    else if (bell)
        describe_bell(t, bell, text, size);
    else
        b_fmt(text, size, "%s", other ? other : "");
}

/* Who could end the wait, if the queue says. */
static bool holder_of(struct cluster *c, const struct kern_thread *t, char *text, size_t size)
{
    const struct k_wait *user = atomic_load_explicit(&t->user_waits, memory_order_relaxed);
    const struct kern_thread *holder =
        user && user->holder > 0 ? kern_thread_find(c, user->holder - 1) : NULL;
    if (!holder)
        return false;
    b_fmt(text, size, "thread %d '%s' on core %d", holder->id, holder->name, holder->core->id);
    return true;
}

static void report(void *arg, hal_report_sink *emit, void *sink)
{
    struct cluster *c = arg;
    for (int i = 0; i < (int)c->machine->threads; i++) {
        struct kern_thread *t = &c->thread[i];
        char what[96] = "", holder[64];
        if (t->slot != KERN_ALIVE)
            continue;
        describe(t, what, sizeof what);
        bool runs = t->core->current == t; /* or waits on its own stack: the port knows where */
        bool waits = what[0] != '\0';
        if (!waits && !runs)
            continue;
        bool held = holder_of(c, t, holder, sizeof holder);
        emit(sink, &(struct hal_waiter){
                       .core = t->core->id,
                       .who = t->name,
                       .what = waits ? what : NULL,
                       .holder = held ? holder : NULL,
                       .since = t->since,
                       .context_sp = runs ? NULL : t->context.sp,
                       .stack_base = t->stack,
                       .stack_size = t->stack_size,
                   });
    }
}

void kern_report_init(struct cluster *c)
{
    hal_report_register(report, c);
}
