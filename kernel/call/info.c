/* SPDX-License-Identifier: MIT */
/* Kernel calls about the machine: facts, clock, modelled work, trace, console, pointers, end. */
#include <sys/k_info.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/console.h>
#include <hal/event.h>
#include <hal/mem.h>
#include <hal/power.h>
#include <hal/trace.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <kernel/ikc.h>
#include <sys/k_types.h>

#include "end.h"
#include "gate.h"

long kern_sys_info(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct k_info *info = (struct k_info *)a0;
    const struct cluster *c = kern_cluster();
    const struct hal_machine *m = c->machine;
    if (!info)
        return -B_EFAULT;
    *info = (struct k_info){
        .machine = m->name,
        .hz = hal_clock_hz(),
        .clusters = hal_machine_clusters(m),
        .compute_clusters = (int)m->compute_clusters,
        .cluster = c->id,
        .core = hal_core(),
        .node = hal_node(),
        .node_name = hal_node_name(),
        .cores = c->cores,
        .compute_cores = (int)m->compute_cores,
        .user_core = c->user_core,
        .variant = (enum k_variant)m->variant,
        .mail_slots = (int)m->mail_slots,
        .mailbox_ports = (int)m->mailbox_ports,
        .portal_ports = (int)m->portal_ports,
        .local_limit = m->local_limit,
        .eager_limit = m->eager_limit,
        .split_limit = m->split_limit,
        .lazy_limit = m->lazy_limit,
        .lazy_bytes = m->lazy_bytes,
        .lane_bytes = m->lane_bytes,
        .dma_threshold = m->dma_threshold,
        .match_cycles = m->cost.match,
        .spin_cycles = hal_event_spin(),
        .compute_memory = m->compute_memory,
        .copies_free = m->cost.copy_setup == 0 && m->cost.copy_byte_milli == 0,
        .oversubscribed = hal_event_oversubscribed(),
        .naps = hal_event_naps(),
    };
    return 0;
}

long kern_sys_time(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3;
    return kern_answer(a0 == K_TIME_NS ? hal_clock_ns() : hal_clock_cycles(), a4);
}

long kern_sys_copy(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    const struct b_piece *piece = (const struct b_piece *)a0;
    if (a1 < 0 || a1 > K_COPY_PIECES)
        return -B_EINVAL;
    for (long i = 0; i < a1; i++)
        if (!piece || ((!piece[i].to || !piece[i].from) && piece[i].n != 0))
            return -B_EFAULT;
    hal_mem_copy_pieces(piece, (int)a1);
    return 0;
}

long kern_sys_count(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    if (a0 == 0)
        return -B_EFAULT;
    hal_count((const char *)a0, k_wide(a1, a2));
    return 0;
}

long kern_sys_trace(long a0, long a1, long a2, long a3, long a4)
{
    struct hal_span h = {(const char *)a1, k_wide(a2, a3)};
    if (a0 == K_TRACE_ON)
        return hal_trace_on();
    if (!h.name)
        return -B_EFAULT;
    if (a0 == K_TRACE_BEGIN) {
        hal_trace_begin(&h, h.name);
        return kern_answer(h.begin, a4);
    }
    hal_trace_end(&h);
    return 0;
}

long kern_sys_console(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    if (a0 == 0 && a1 != 0)
        return -B_EFAULT;
    hal_console_write((const char *)a0, (size_t)a1);
    return 0;
}

/* No kernel calls: they are asked for many times in a microsecond, and a machine with a kernel mode
 * has a register for them. */
static struct kern_thread *thread(void)
{
    return kern_cluster() ? kern_current() : NULL;
}

void *k_thread_local_asked(void)
{
    const struct kern_thread *t = thread();
    return t ? t->local : NULL;
}

void k_thread_local_set(void *p)
{
    struct kern_thread *t = thread();
    if (t)
        t->local = p;
}

void *k_cluster_local(void)
{
    struct cluster *c = kern_cluster();
    return c ? atomic_load_explicit(&c->local, memory_order_acquire) : NULL;
}

void k_cluster_local_set(void *p)
{
    struct cluster *c = kern_cluster();
    if (c)
        atomic_store_explicit(&c->local, p, memory_order_release);
}

void kern_record(void)
{
    struct cluster *c = kern_cluster();
    size_t used, high, limit;
    kern_memory(c, &used, &high, &limit);
    hal_count_max("memory.high", high);
    hal_count_max("memory.pools", c->frames.pools);
}

_Noreturn void kern_end(int status)
{
    kern_record();
    kern_ikc_settle();
    hal_power_off(status);
}

long kern_sys_power_off(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    kern_end((int)a0 & 255);
}

long kern_sys_abort(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    hal_abort((int)a0 & 255, (const char *)a1);
}
