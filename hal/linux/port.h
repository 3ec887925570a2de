/* SPDX-License-Identifier: MIT */
/* What the files of the linux port share: this process's place in the job. */
#ifndef HAL_LINUX_PORT_H
#define HAL_LINUX_PORT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <hal/core.h>

#include "layout.h"

/* Set once by lx_attach before other threads exist, then constant; `off` excepted. */
struct lx_port {
    struct lx_header *job; /* NULL: no machine runs here */
    struct lx_cluster *self;
    int cluster;         /* my number */
    int clusters, cores; /* of the machine, of this cluster */
    bool fits;           /* the job has no more cores than there are processors */
    long share;          /* else how many of its cores share a processor; 1 */
    bool pinned;
    char host[HOST_NAME_MAX + 1]; /* name of this computer */
    uint64_t spin_cycles;         /* how long an idle core polls */
    atomic_bool off;              /* the cluster powered off: its cores stop at their next wait */
};
extern struct lx_port lx;

/* A cluster ended. Whatever it published before is visible to who saw this. */
static inline bool lx_gone(int cluster)
{
    return atomic_load_explicit(&lx_cluster(lx.job, cluster)->state, memory_order_acquire) >=
           LX_OFF;
}

/* enter.c: makes the calling process cluster `cluster` of the job mapped at h; the calling thread
 * becomes core 0. -B_ENOMEM. */
int lx_attach(struct lx_header *h, int cluster);
/* power.c: says that a cluster ended, once, and lets everybody who waits for it look again. */
void lx_ended(struct lx_header *h, int cluster, enum lx_state how, int status);

/* map.c */
int lx_map_create(const struct hal_machine *m, const struct hal_options *o, int *fd,
                  struct lx_header **h);
/* Maps a job's descriptor that came from outside; everything in it is checked. On failure one line
 * in why. */
int lx_map_open(int fd, struct lx_header **h, char *why, size_t why_size);
void lx_map_close(struct lx_header *h);

/* clock.c */
void lx_clock_start(struct lx_header *h);
uint64_t lx_monotonic_ns(void);

/* core.c: the calling thread is a core from now on; binds it if the job is bound. */
void lx_core_bind(int core);
/* The calling thread is no core: it may run wherever the process could before. */
void lx_core_roam(void);
/* True when the job's cores fit the processors that this process may use. */
bool lx_core_fits(const struct hal_machine *m, int *processors);
/* How many of the job's cores there are, or would be, for each of so many processors. */
long lx_core_share(const struct hal_machine *m, int processors);
/* Never returns: the calling core stops, its cluster is off. */
_Noreturn void lx_core_stop(void);

/* event.c */
/* Wakes a core of cluster `to` that sleeps and takes NoC events, if no other is awake to see what
 * the caller published before with a sequentially consistent store. */
void lx_event_poke(struct lx_header *h, int to);
/* The same for what is not mail; none of it can wait. */
void lx_event_news(struct lx_header *h, int to);
/* Raises a core's event; if the core sleeps it wakes up. */
void lx_event_raise(atomic_uint *event);
/* Wakes every core of a cluster. */
void lx_event_all(struct lx_header *h, int cluster);
/* True if there is something that this core was not told of. */
bool lx_event_arrived(int core);
bool lx_futex_wait(atomic_uint *word, unsigned value, uint64_t until_ns); /* true: woken */
void lx_futex_wake(atomic_uint *word);

/* turn.c: gives the processor to others for a turn. The second: of a core that has polled in vain
 * once more, if it is time for one; true: others wanted the turn, and gave the processor back. The
 * third: of one that is known to share its processor (hal_event_relax); true: there was a turn. */
void lx_yield(void);
bool lx_turn(void);
bool lx_turn_shared(bool waits);
/* The OS thread sleeps, not a rank; signals do not shorten that. */
void lx_nap(uint64_t ns);

/* attend.c: tells the helper of a cluster whose core is away. */
void lx_attend(struct lx_header *h, int to);

/* mailbox.c */
int lx_mailbox_attach(void);
/* True once for each core and message (verdict) at the head of its queue. */
bool lx_mailbox_news(int core);

/* sync.c, portal.c */
int lx_sync_attach(void);
int lx_portal_attach(void);

/* power.c */
/* How a thread leaves when the cluster is off; the function may return if the thread need not. */
void lx_power_home(void (*leave)(int status));
/* Nobody supervises this process: it looks after time-out and trace itself, the latter in
 * lx_power_end, which answers as lx_trace_write does. */
void lx_power_alone(void);
bool lx_power_end(void);

/* report.c */
void lx_report_attach(void);
/* The core sleeps in the frame at fp, NULL: no more; another one may tell where its rank is. */
void lx_report_rests(int core, const void *fp);
/* Answers the supervisor's request for a report, if there is one. */
void lx_report_answer(void);

/* trace.c: writes the trace of the whole job, if one was asked for. False: not all of it could be
 * written, which it has said. */
bool lx_trace_write(const struct lx_header *h);

/* count.c */
const char *lx_counter_name(const struct lx_header *h, int i);
uint64_t lx_counter_sum(const struct lx_header *h, int i);

/* A set of clusters: the first member at or after `first`, wrapping round; -1 if it is empty. */
int lx_set_next_wide(atomic_ullong *set, int clusters, int first);
static inline int lx_set_next(atomic_ullong *set, int clusters, int first)
{
    if (clusters > 64)
        return lx_set_next_wide(set, clusters, first);
    uint64_t bits = atomic_load_explicit(&set[0], memory_order_acquire);
    uint64_t later = bits & (UINT64_MAX << (first % 64));
    return bits == 0 ? -1 : __builtin_ctzll(later != 0 ? later : bits);
}
static inline bool lx_set_has(atomic_ullong *set, int i)
{
    return (atomic_load(&set[i / 64]) >> (i % 64) & 1) != 0;
}
static inline void lx_set_add(atomic_ullong *set, int i)
{
    atomic_fetch_or(&set[i / 64], 1ULL << (i % 64));
}
static inline void lx_set_remove(atomic_ullong *set, int i)
{
    atomic_fetch_and(&set[i / 64], ~(1ULL << (i % 64)));
}

#endif
