/* SPDX-License-Identifier: MIT */
/* What a program may know and ask of the machine below it. */
#ifndef SYS_K_INFO_H
#define SYS_K_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/here.h>
#include <base/mem.h>

/* What of the system runs as tasks: see enum hal_variant (hal/machine.h), the same values. */
enum k_variant { K_BASELINE, K_PARTIAL, K_FULL };

/* Facts about the machine and the caller's place in it. */
struct k_info {
    const char *machine; /* name */
    uint64_t hz;         /* cycles per second */
    int clusters;        /* compute and I/O */
    int compute_clusters;
    int cluster, core; /* of the caller */
    int node;          /* of the caller; clusters of a node have one memory: hal/machine.h */
    const char *node_name;
    int cores;         /* of the caller's cluster */
    int compute_cores; /* of a compute cluster */
    int user_core;     /* first core for programs: 1 on asymmetric machines, else 0 */
    enum k_variant variant;
    int mail_slots; /* messages that may be under way to each cluster */
    int mailbox_ports, portal_ports;
    /* From the machine file, bytes: mpiutil/tuning.h. */
    uint32_t local_limit, eager_limit, split_limit, lazy_limit, lazy_bytes;
    uint32_t lane_bytes;
    uint32_t dma_threshold;
    uint32_t match_cycles;   /* price of one comparison in a message queue, for k_work */
    uint64_t spin_cycles;    /* who can poll should, for so long, before it waits; 0: should not */
    uint64_t compute_memory; /* bytes of a compute cluster */
    bool copies_free;        /* k_copy is nothing but a memcpy: no time is charged for it */
    bool oversubscribed;     /* cores of the machine share processors: see hal/event.h */
    bool naps;               /* who writes words for others needs no fence: hal_event_naps there */
};
/* All of it is constant. Never waits; any thread. */
void k_info(struct k_info *info);

/* The time since the machine began, in cycles of a core or in nanoseconds (hal/clock.h). */
uint64_t k_time_cycles(void);
uint64_t k_time_ns(void);

/* Modelled work, a copy inside the cluster, named spans and counters: see hal/work.h, mem.h,
 * trace.h, of which these are the user face. */
void k_work(uint64_t cycles);
void k_copy(void *dst, const void *src, size_t n);
enum { K_COPY_PIECES = 16 }; /* at most */
void k_copy_pieces(const struct b_piece *pieces, int n);
void k_count(const char *name, uint64_t add);
struct k_span {
    const char *name;
    uint64_t begin;
};
void k_trace_begin(struct k_span *s, const char *name);
void k_trace_end(const struct k_span *s);
bool k_traced(void); /* a trace is written; constant */

/* Memory of the cluster by pages: n bytes, rounded up, zeroed, from the budget of the machine file.
 * -B_ENOMEM: exhausted. The pages belong to the caller until k_page_free with the same size. */
int k_page_alloc(size_t n, void **p);

/* The same, as who had the pages last left them: for who writes before it reads. */
int k_page_take(size_t n, void **p);

int k_page_free(void *p, size_t n);

/* Bytes of the cluster's memory in use and the highest value so far; *limit is its size. What is
 * lent to it (hal/machine.h) is used first, and is none of *used. */
void k_memory(size_t *used, size_t *high, size_t *limit);

/* The pointer that belongs to the calling thread (NULL at first), and to the cluster; NULL where
 * there is no kernel. */
void *k_thread_local_asked(void); /* by the kernel: what follows asks it where it must */
static inline void *k_thread_local(void)
{
    return b_here ? *b_here : k_thread_local_asked();
}
void k_thread_local_set(void *p);
void *k_cluster_local(void);
void k_cluster_local_set(void *p);

/* Ends the calling cluster, or the whole machine: see hal/power.h. */
_Noreturn void k_power_off(int status);
_Noreturn void k_abort(int status, const char *why);

/* Writes n bytes to the system's console (hal/console.h). */
void k_console(const char *text, size_t n);

#endif
