/* SPDX-License-Identifier: MIT */
/* A server in one of its two forms. */
#ifndef SVC_DAEMON_H
#define SVC_DAEMON_H

#include <stdbool.h>
#include <stdint.h>

#include <svc/server.h>
#include <sys/k_task.h>

struct svc_daemon;

/* How a server gets its turns: a named record. `begin` and `end` as svc_daemon_start and _join. */
struct svc_form {
    const char *name;
    int (*begin)(struct svc_daemon *d);
    int (*end)(struct svc_daemon *d);
};
extern const struct svc_form svc_by_thread; /* a thread of its own, on one of the last cores */
extern const struct svc_form svc_by_tasks;  /* two tasks of the default Dispatcher, no stack */

/* The form of the machine's variant: by tasks in the full one, unless the program runs in user
 * mode, whose tasks no completion releases; else by threads. */
const struct svc_form *svc_form_default(void);

struct svc_daemon {
    struct svc_server server;
    const struct svc_form *form;
    int thread;
    /* By tasks: each completion at a mailbox of the server releases `serve`, which makes a round;
     * `clock` waits for the next deadline and releases `serve` through `strike`. */
    struct k_task serve, clock;
    struct k_arc strike;
    uint64_t alarm; /* instant that `clock` waits for, K_FOREVER: none */
    bool over;
};

/* Opens the server (svc_server_open) and starts to serve; requests are taken from now on. Memory of
 * the caller's until svc_daemon_join. Errors: those of svc_server_open; -B_ENOMEM no thread. */
int svc_daemon_start(struct svc_daemon *d, const struct svc_form *form,
                     const struct svc_class *class, void *state, int home);

/* Waits until the server has been shut down (SVC_OP_SHUTDOWN). */
int svc_daemon_join(struct svc_daemon *d);

#endif
