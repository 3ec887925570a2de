/* SPDX-License-Identifier: MIT */
/* A server in one of its two forms. */
#ifndef SVC_DAEMON_H
#define SVC_DAEMON_H

#include <svc/server.h>

struct svc_daemon;

/* How a server gets its turns: a named record. `begin` and `end` as svc_daemon_start and _join. */
struct svc_form {
    const char *name;
    int (*begin)(struct svc_daemon *d);
    int (*end)(struct svc_daemon *d);
};
extern const struct svc_form svc_by_thread; /* a thread of its own, on the core with the fewest */

struct svc_daemon {
    struct svc_server server;
    const struct svc_form *form;
    int thread;
};

/* Opens the server (svc_server_open) and starts to serve; requests are taken from now on. Memory of
 * the caller's until svc_daemon_join. Errors: those of svc_server_open; -B_ENOMEM no thread. */
int svc_daemon_start(struct svc_daemon *d, const struct svc_form *form,
                     const struct svc_class *class, void *state, int home);

/* Waits until the server has been shut down (SVC_OP_SHUTDOWN). */
int svc_daemon_join(struct svc_daemon *d);

#endif
