/* SPDX-License-Identifier: MIT */
/* The simulated machine: what the files of this port share.
 *
 * One OS thread runs all cores, each on a context of its own; only one runs at a time and it is
 * interrupted nowhere but inside a call that lets virtual time pass. So nothing here needs a lock,
 * and state may be half-made only across sim_block and hal_work. */
#ifndef SIM_H
#define SIM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <hal/context.h>
#include <hal/hosted.h>
#include <hal/lock.h>
#include <hal/machine.h>
#include <hal/report.h>
#include <hal/stand.h>

enum sim_state {
    SIM_OFF,     /* never started */
    SIM_READY,   /* will run at the current cycle */
    SIM_RUNNING, /* runs, or has run and was left for main at the end */
    SIM_WORKING, /* hal_work */
    SIM_WAITING, /* hal_event_wait: the only idle state */
    SIM_HEEDING, /* hal_work_event */
    SIM_LOCKING, /* hal_lock */
    SIM_SENDING, /* injects a portal transfer */
    SIM_ENDED
};

struct sim_core {
    struct hal_context context; /* where it resumes: any stack that it ran on when it blocked */
    int cluster, number, index; /* in its cluster, in the machine */
    void **here;                /* its b_here while another core runs */
    enum sim_state state;
    bool raised;           /* the latched event */
    uint64_t since;        /* cycle of the last change of state */
    uint64_t deadline;     /* of hal_event_wait */
    uint64_t timer;        /* cycle of its earliest queued timer event, HAL_NEVER = none */
    uint64_t busy;         /* cycles not idle, up to `since` while it is blocked */
    uint64_t polled_at;    /* cycle of its last question */
    uint32_t polls;        /* questions since it did anything else for which time passed */
    uint64_t polled;       /* cycles that these took */
    struct hal_lock *lock; /* it waits for */
    struct sim_core *next; /* behind it in that lock's queue */
    void (*entry)(void *arg);
    void *arg;
    void *stack;
    size_t stack_size;
};

/* A set of clusters that is searched round-robin: bits.h. */
struct sim_set {
    uint64_t words;
    uint64_t bits[HAL_CLUSTERS_MAX / 64];
    int next; /* where the next search begins */
};

struct sim_channel;
struct sim_put;

struct sim_cluster {
    int number;
    char name[HAL_MACHINE_NAME_MAX + 32]; /* with that of the machine */
    struct sim_core *cores;
    int core_count;
    uint64_t noc_cores; /* hal_event_noc */
    bool ended;         /* its cores have stopped */
    bool gone;          /* and nothing that it sent is still on its way: what the others see */
    uint32_t flying;    /* things that it sent and that have not arrived */
    int status;
    void *local;
    void *window;
    size_t window_size;
    void (*reporter)(void *arg, hal_report_sink *emit, void *sink);
    void *reporter_arg;
    hal_stand_function *stand;
    void *stand_arg;
    struct sim_set mail, verdicts, words, grants; /* peers that have something for this cluster */
    struct sim_channel *channels;                 /* portal, as a receiver */
    struct sim_put **puts;                        /* portal, as a sender; index = handle */
    int put_count;
    uint32_t dma_used;
    uint32_t granted;       /* portal: channels of others that are open to it */
    bool receives;          /* portal, the ancestor's: its interface is taken */
    struct sim_set waiting; /* senders that found it so */
};

/* What two clusters share in one direction; made at first use. */
struct sim_pair {
    int from, to;
    struct sim_route *route;
    struct sim_mail *mail; /* mailbox: ring of mail_slots */
    uint32_t mail_sent, mail_arrived, mail_released, mail_answered, mail_taken; /* running counts */
    uint64_t *words; /* sync: ring of sync_slots */
    uint32_t words_sent, words_arrived, words_released, words_credited;
    struct sim_grant *grant_first, *grant_last; /* arrived at `to`, granted by `from` */
};

struct sim {
    struct hal_machine machine;
    struct hal_options options;
    uint64_t now;
    uint64_t limit; /* no cycle after it is reached without sim_stop */
    uint64_t end;   /* the time-out */
    uint64_t stop;  /* hal_at_cycle; HAL_NEVER: none is wanted any more */
    bool (*look)(void);
    uint64_t events; /* handled */
    uint64_t seed;
    pthread_t thread;      /* of the host, that runs all cores */
    struct sim_core *core; /* the one that runs; NULL in main */
    struct hal_context main;
    struct sim_cluster *clusters;
    struct sim_core *cores;
    struct sim_pair **pairs;
    void *board; /* memory of all clusters; NULL: none */
    int cluster_count, core_count, alive, gone_count;
    uint64_t gone[HAL_CLUSTERS_MAX / 64]; /* those that gone_count counts, a bit each */
    bool reporting;                       /* a report is being printed: nobody may wait */
    bool over;                            /* leave for main */
    int status;
};

extern struct sim sim;

/* Calls fire(arg) at cycle `at` (>= now), after the events queued before for that cycle unless a
 * seed says otherwise. fire runs on whatever stack is current, may queue events and wake cores,
 * must not block. */
void sim_at(uint64_t at, void (*fire)(void *arg), void *arg);
/* Calls fire(arg) in the running cycle when nothing else is queued for it any more. One at a
 * time. */
void sim_at_end_of_cycle(void (*fire)(void *arg), void *arg);
/* True when something is queued for `cycle` or before. */
bool sim_event_before(uint64_t cycle);
/* Takes the next event; false when there is none. */
bool sim_event_next(void (**fire)(void *arg), void **arg);
/* So many events were not queued that would have been: with a seed the order of the others is what
 * it would have been. */
void sim_events_skip(int n);
void sim_events_clear(void);

/* If nobody has anything to do for so many cycles, the clock is set forward by them and the running
 * core has worked. */
bool sim_passes(uint64_t cycles);
/* Blocks the running core in `state` until sim_wake; other cores run meanwhile. */
void sim_block(enum sim_state state);
/* Makes a blocked core run at the current cycle. */
void sim_wake(struct sim_core *c);
/* Runs events until the machine is over or the running core may go on. */
void sim_dispatch(void);
/* The next cycle is past the limit: lets somebody look before if that is why, who may end the
 * machine. */
void sim_stop(uint64_t next);
/* Ends the machine with a status; the caller must return to sim_dispatch or leave by sim_leave. */
void sim_over(int status);
_Noreturn void sim_leave(void);
/* Stops the cores of a cluster for good. */
void sim_cores_end(struct sim_cluster *cl);
/* Errors: -B_ENOMEM the host gives no stack. */
int sim_cores_create(void (*boot)(void *arg), void *arg);
void sim_cores_destroy(void);

/* Raises the event of a core; raises the event of the cores that take the NoC's. */
void sim_raise(struct sim_core *c);
void sim_raise_noc(struct sim_cluster *cl);

/* Every question about the state of the machine (the clock, what has arrived) passes here.
 * Questions are free, but a core that only asks would stop time for ever. So beyond this number in
 * a row each takes a cycle, and more the longer it lasts: a part of the time that it has asked
 * by then, at most a millisecond. A program that spins for seconds is late by that part. */
#define SIM_FREE_POLLS 10000
#define SIM_POLL_PART  256
void sim_poll_pays(struct sim_core *c);
static inline void sim_poll(void)
{
    struct sim_core *c = sim.core;
    if (!c)
        return; /* a report asks after the end */
    if (c->polled_at != sim.now)
        c->polls = 0;
    if (++c->polls > SIM_FREE_POLLS)
        sim_poll_pays(c);
    c->polled_at = sim.now;
}

static inline struct sim_cluster *sim_cluster(void)
{
    return &sim.clusters[sim.core->cluster];
}

/* Cycles of a memory copy inside a cluster. */
uint64_t sim_copy_cycles(size_t n);
/* The core that holds a lock, NULL if it is free. */
const struct sim_core *sim_lock_holder(const struct hal_lock *l);
/* For reports; never NULL. */
const char *sim_lock_name(const struct hal_lock *l);

/* Cycles in which a core was not idle, up to now. */
uint64_t sim_core_busy(const struct sim_core *c);
void sim_counters_clear(void);

void sim_set_add(struct sim_set *s, int cluster);
void sim_set_remove(struct sim_set *s, int cluster);
/* The next member round-robin, or -1. */
int sim_set_next(struct sim_set *s);

struct sim_pair *sim_pair(int from, int to);
void sim_pairs_destroy(void);
/* Something that cluster `from` sent leaves, has arrived. */
void sim_flies(int from);
void sim_landed(int from);
/* The channels granted to a cluster that is gone. */
void sim_portal_cluster_gone(struct sim_cluster *cl);
void sim_portal_create(void);
void sim_portal_destroy(void);
/* False: no memory on this host. */
bool sim_board_create(void);
void sim_board_destroy(void);

#endif
