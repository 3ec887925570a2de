/* SPDX-License-Identifier: MIT */
/* Hosted ports (sim, linux) only: loading a machine file and running a machine from main(). */
#ifndef HAL_HOSTED_H
#define HAL_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <hal/machine.h>

/* Loads a machine by name ("mini": searched in $LWMPI_MACHINES, then beside the installed commands,
 * then in the source tree) or by path (contains '/' or ends in ".machine"). On failure returns
 * -B_ENOENT or -B_EINVAL and writes one line to why: file, line, key, what is allowed. The variable
 * LWMPI_SET (lines KEY=VALUE, any key of a machine file; a number without a unit has the smallest
 * of its key) stands above the files, LWMPI_VARIANT (baseline, partial or full) above both for the
 * key `variant`; LWMPI_MODEL adds the ancestor's parts to those of the file (docs/model.md). */
int hal_machine_load(const char *name, struct hal_machine *m, char *why, size_t why_size);

/* The same with more settings, as LWMPI_SET's, which stand above those; `by`: who sets them, with
 * which complaints about them begin. */
int hal_machine_load_set(const char *name, const char *by, const char *settings,
                         struct hal_machine *m, char *why, size_t why_size);

/* The path of a file that lies where machine files are, in the order above. -B_ENOENT: there is
 * none. */
int hal_machine_beside(const char *file, char *path, size_t size);

/* Names of the machines found, comma separated, into buf. */
void hal_machine_list(char *buf, size_t size);

/* Options; hal_options_default reads the environment variable beside each, checks it, and returns
 * -B_EINVAL with one line in why when it makes no sense. */
struct hal_options {
    uint64_t seed;       /* LWMPI_SEED     sim: order of events on one cycle; 0 = by sequence */
    char noc[16];        /* LWMPI_NOC      sim: "fluid", "packet" or "wormhole" */
    const char *trace;   /* LWMPI_TRACE    file for the Perfetto trace, NULL = none */
    const char *heat;    /* LWMPI_HEAT     sim: file for the NoC heat map (SVG), NULL = none */
    uint64_t spin_ns;    /* LWMPI_SPIN     linux: how long an idle core polls before it sleeps; ns,
                                           us, ms, s; a plain number is us; default 100 us */
    uint64_t timeout_ns; /* LWMPI_TIMEOUT  end the machine with a report after so long, 0 = never;
                                           units as before; a plain number is seconds; default 0 */
    bool pin;            /* LWMPI_PIN      linux: bind cores to processors: yes (default) or no */
    size_t stack;        /* LWMPI_STACK    bytes of a host stack; B, KB, MB; default 1 MB */
    bool verbose;        /* LWMPI_VERBOSE  yes: reports tell about all threads; no (default): in a
                                           few lines who waits for whom, where that is known */
};
int hal_options_default(struct hal_options *o, char *why, size_t why_size);

/* Runs machine `m`: calls boot(arg) on core 0 of each cluster and returns the status of the machine
 * when all clusters have ended (a boot that returns ends its cluster with status 0). linux: forks a
 * process per cluster, supervises them, kills the rest when one dies and says which; the memory of
 * the caller is copied, not shared. sim: runs everything in the calling process. Deadlock: status
 * 124. A cluster killed by signal s: status 128+s. A trace or map of heat that could not be written
 * whole: that is said on stderr, and see hal_status. */
int hal_run(const struct hal_machine *m, const struct hal_options *o, void (*boot)(void *arg),
            void *arg);

/* What a program's own process does when the launcher (or nobody) started it: it becomes its part
 * of the machine that the environment describes, and boot(arg) runs on core 0 of each cluster here.
 *   sim:   LWMPI_MACHINE names the machine (default mppa256); all clusters live in this process.
 *          LWMPI_MEMORY=report or no lends each 15 times the memory of a compute cluster.
 *   linux: LWMPI_JOB, set by the launcher (hal/job.h), names the shared mapping and the cluster;
 *          without it the process is a machine of one cluster.
 * Returns the status for exit(); it returns on the calling stack, after all clusters here ended. */
int hal_enter(void (*boot)(void *arg), void *arg);

/* Like hal_enter, but the calling OS thread simply continues as core 0 on its own stack: for
 * programs whose main was not taken over. linux only; sim answers -B_ENOSYS. The process must
 * later call hal_detach(status) from the same thread: it does what hal_power_off does, but
 * returns, unless the trace is lost and hal_status differs: that ends the process with it. Where
 * hal_enter will not return, because the process ends otherwise, any thread may detach it. */
int hal_attach(void);
void hal_detach(int status);

/* The hosted port that is linked: "sim" or "linux". */
extern const char hal_port_name[];

/* Results of a run, valid inside it and, on sim, after hal_run. energy < 0: the port has no
 * model. */
struct hal_result {
    uint64_t cycles;
    double seconds;                                /* machine time */
    double energy_core, energy_noc, energy_static; /* joules */
    uint64_t events;                               /* sim: events handled */
    const char *noc;                               /* name of the network model */
};
void hal_result(struct hal_result *r);

/* sim only: when the machine ends, however it does, look() is called, once, while the memory of its
 * clusters is still there; no core runs any more. The last one set before counts, NULL: none. */
void hal_at_end(void (*look)(void));

/* sim only: for a process that a signal ends, in a copy of it: writes the heat map, and calls what
 * hal_at_end was given, if the machine runs. */
void hal_end_early(void);

/* sim only: look() is called once, when all that happens before `cycle` has happened, and sees the
 * clock at it. It may wait for as long as it likes, and changes nothing. If it answers false the
 * machine ends with status 1. Call from a core. -B_EINVAL: that cycle is not to come; -B_ENOSYS on
 * linux. */
int hal_at_cycle(uint64_t cycle, bool (*look)(void));

/* In a signal handler with the system's `context`: the address of the instruction that was
 * interrupted, and of the stack that it used. */
uintptr_t hal_interrupted(const void *context);
uintptr_t hal_interrupted_stack(const void *context);

/* Forbids to touch the lowest n bytes of a stack of hal_stack_alloc, a multiple of this computer's
 * page, and empties them; what lies above them is allowed. hal_stack_free forgets it. It takes no
 * mapping of the process. Async-signal-safe. -B_ENOMEM: the host refuses. */
int hal_stack_close(void *base, size_t got, size_t n);

/* An access that the system refused, on a core: where to, by which instruction, with the stack down
 * to where. */
struct hal_refused {
    uintptr_t address, pc, sp;
};
enum hal_growth {
    HAL_STACK_GROWN, /* it was on a stack that has grown: the access is tried again */
    HAL_STACK_FULL,  /* ... that may not grow, which has been said: it is an error */
    HAL_STACK_OTHER  /* it was elsewhere */
};

/* From now on grow() looks at such accesses, in the signal handler, on a stack beside. */
typedef enum hal_growth hal_stack_grow_fn(const struct hal_refused *r);
void hal_stack_grows(hal_stack_grow_fn *grow);

/* As sigaction, for SIGSEGV or SIGBUS, of what becomes of those that are an error, while cores run.
 * The handler runs on the stack of this port's own. */
struct sigaction;
void hal_memory_signal(int signal, const struct sigaction *action, struct sigaction *before);

/* sim only. Writes the name of the function at `address`, "file+0xoffset" when the file keeps no
 * names, or the address. It opens the file that the code came from, which hal_function_end forgets
 * again. Allocates nothing, so that a signal handler may ask. */
void hal_function_name(const void *address, char *name, size_t size);
void hal_function_end(void);

/* Cycles in which core `core` of the calling cluster was busy since the machine began; sim only,
 * elsewhere 0, as if it had never been. */
uint64_t hal_core_busy(int core);

/* Sum of a counter (trace.h) over the machine; i-th name in order of first use, NULL past the end.
 * linux: of the calling cluster's machine as far as recorded in the shared mapping. */
const char *hal_counter_name(int i);
uint64_t hal_counter_sum(int i);

/* What the file of a trace ends with, a JSON object whose last member is the list of events.
 * Whoever adds events to it writes over this, ",\n" before each, and ends it so again. */
#define HAL_TRACE_END "\n]}\n"

/* Closes a file that was written. False: not all of it is in the file, because the system refused
 * some of it, now or before; errno says why, EIO if only the stream knows of it. */
bool hal_file_close(FILE *f);

/* Is it, or would it become, a file on a disk? Devices and pipes are none. */
bool hal_file_on_disk(const char *path);

/* A file of which a part could not be written, so that nobody takes it for the whole: removes it,
 * or empties what its name is a link to. Devices and pipes stay. */
void hal_file_discard(const char *path);

/* Closes a file that was written, or could not be opened (NULL; errno says why). False: not all of
 * it is written, errno says why, and nothing of it is left. */
bool hal_file_keep(FILE *f, const char *path);

/* The same for the file that `option` of `who`, a command or library, is about. False: it was said
 * on standard error, too. */
bool hal_file_finish(FILE *f, const char *who, const char *option, const char *path);

/* Says on standard error that the trace cannot be written: the errno, and `more` behind it. If
 * LWMPI_TRACE_FOR in the environment says what it is for, as "--report FILE", it is called by that,
 * as nobody knows the path. */
void hal_trace_refused(const char *path, int why, const char *more);

/* The exit status of who was to write something: if not all of it is written, 0 becomes
 * 128+SIGPIPE, as of a process whose output nobody takes. */
int hal_status(int status, bool all_written);

#endif
