/* SPDX-License-Identifier: MIT */
/* Boot of a cluster, and its end where the process goes on without it. */
#include <kernel/boot.h>

#include <base/fmt.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/mem.h>
#include <hal/power.h>
#include <hal/work.h>
#include <kernel/cluster.h>
#include <kernel/ikc.h>

#include "../ancestor/ancestor.h"
#include "../mem/layout.h"
#include "../thread/sched.h"
#include "end.h"
#include "user.h"

enum { NOC_CORES = 64, STOP_NS = 1000000000 };

/* The window is too small for the pools that its machine file asks for: nothing can run. */
static _Noreturn void too_small(const struct hal_machine *m, size_t have, size_t need)
{
    char text[256];
    b_fmt(
        text, sizeof text,
        "machine '%s': a cluster has %zu bytes of memory, but its kernel and one thread need %zu; "
        "give it more memory, or fewer threads, ports, syncs and buffers",
        m->name, have, need);
    hal_abort(1, text);
}

static void cores_init(struct cluster *c)
{
    uint64_t noc = 0;
    for (int i = 0; i < c->cores; i++) {
        struct kern_core *core = &c->core[i];
        core->cluster = c;
        core->id = i;
        core->turns = c->poll_turns;
        core->serves = i == 0 || (!c->asymmetric && i < NOC_CORES);
        noc |= core->serves ? (uint64_t)1 << i : 0;
    }
    hal_event_noc(noc);
}

static struct cluster *build(const struct kern_user *user)
{
    const struct hal_machine *m = hal_machine();
    int id = hal_cluster();
    void *window;
    size_t size;
    hal_mem_window(&window, &size);
    if (!kern_ancestor && (m->ancestor_threads || m->ancestor_portals || m->ancestor_waiting))
        hal_abort(1, "the machine wants styles of the ancestor, of which this image has none");
    size_t pools = kern_cluster_size(m, id);
    if (pools + m->stack_size + m->page_size > size)
        too_small(m, size, pools + m->stack_size + m->page_size);
    struct kern_arena arena = {window, 0, size};
    struct cluster *c = kern_layout(&arena, m, id);
    c->asymmetric = m->asymmetric && c->cores > 1;
    c->insists = m->ancestor_waiting;
    c->spins = hal_event_spin() != 0;
    c->poll_turns = c->spins ? KERN_POLL_TURNS_MANY : KERN_POLL_TURNS;
    c->gated = c->asymmetric || m->cost.kernel_call != 0;
    c->user = user;
    c->plain = !c->gated && !user && m->cost.wakeup == 0 && m->cost.context_switch == 0;
    c->user_core = c->asymmetric ? 1 : 0;
    hal_lock_init(&c->lock, "cluster");
    hal_lock_init(&c->queues, "wait queues");
    kern_pager_init(&c->pager);
    kern_frames_init(c, window, size, pools);
    if (user)
        user->init(c);
    cores_init(c);
    kern_threads_init(c);
    hal_local_set(c);
    kern_report_init(c);
    return c;
}

static void core_main(void *arg)
{
    struct kern_core *core = arg;
    kern_idle(core);
    atomic_fetch_sub(&core->cluster->running, 1);
    hal_event_notify(0);
}

static void cores_start(struct cluster *c)
{
    atomic_store(&c->running, c->cores);
    for (int i = 1; i < c->cores; i++)
        hal_core_start(i, core_main, &c->core[i]);
}

static void first_thread(void *arg)
{
    struct cluster *c = arg;
    kern_end(c->main(c->main_arg) & 255);
}

static _Noreturn void boot(int (*main)(void *arg), void *arg, const struct kern_user *user)
{
    struct cluster *c = build(user);
    c->main = main;
    c->main_arg = arg;
    cores_start(c);
    struct k_thread_attr attr = {first_thread, c, "main", c->user_core, 0};
    if (user) {
        attr.entry = (void (*)(void *))(void (*)(void))main; /* see hal_user_run */
        attr.arg = arg;
    }
    int id = kern_thread_start(c, &attr);
    if (id < 0)
        hal_abort(1, "the host has no memory for the stack of the first thread");
    kern_idle(&c->core[0]);
    __builtin_unreachable(); /* nobody stops a cluster that was booted */
}

_Noreturn void kern_boot(int (*main)(void *arg), void *arg)
{
    boot(main, arg, NULL);
}

_Noreturn void kern_boot_user(int (*main)(void *arg), void *arg)
{
    boot(main, arg, &kern_user);
}

/* The idle context of core 0 when the boot context has become a thread. */
static void idle_zero(void *arg)
{
    kern_idle(arg);
    __builtin_unreachable();
}

void kern_adopt(void)
{
    struct cluster *c = build(NULL);
    if (c->asymmetric)
        hal_abort(1, "a program can join only a machine whose kernel calls run inline");
    void *stack;
    size_t size;
    if (hal_stack_alloc(0, &stack, &size) != 0 || !kern_thread_adopt(c, "main"))
        hal_abort(1, "no memory for the first thread");
    hal_context_init(&c->core[0].idle, stack, size, idle_zero, &c->core[0]);
    cores_start(c);
}

void kern_shutdown(void)
{
    struct cluster *c = kern_cluster();
    kern_record();
    kern_ikc_settle();
    atomic_store(&c->stopping, true);
    for (int i = 1; i < c->cores; i++)
        hal_event_notify(i);
    /* A core stops when its threads wait or have ended; one that computes on is left behind. */
    uint64_t deadline = kern_deadline(STOP_NS / 1000 * (hal_clock_hz() / 1000) / 1000);
    while (atomic_load(&c->running) > 1 && hal_clock_cycles() < deadline)
        hal_event_wait(deadline);
}
