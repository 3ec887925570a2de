/* SPDX-License-Identifier: MIT */
/* The spawn server, one per machine, on svc_home(). It knows of each rank whether it runs,
 * ended, or crashed: a cluster that ends takes with it the ranks that had not reported their
 * end. It also ends the services of the machine, in the reverse order of their levels. Client
 * calls wait for its answer; common errors: -B_ENOTCONN there is no spawn server, -B_EIO its
 * cluster ended. */
#ifndef SVC_SPAWN_SERVER_H
#define SVC_SPAWN_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include <svc/client.h>
#include <svc/server.h>
#include <svc/spawn.h>

extern const struct svc_class svc_spawn_server;

/* Bytes of its state for a job; prepares that memory. watch_us: how often it asks each cluster with
 * running ranks for a sign of life; 0: never, where whoever runs the machine ends it when a cluster
 * crashes, as mpiexec does. */
size_t svc_spawn_server_bytes(const struct svc_job *job);
void svc_spawn_server_init(void *state, const struct svc_job *job, uint32_t watch_us);

enum svc_fate { SVC_RUNS, SVC_ENDED, SVC_CRASHED };
struct svc_end {
    int rank;           /* -1: all ended with status 0 */
    enum svc_fate fate; /* SVC_ENDED or SVC_CRASHED */
    int status;         /* of its end */
};

/* Tells the end of a rank of the calling cluster. -B_EPERM: it does not live here; -B_EEXIST: it
 * ended before; -B_EINVAL: no such rank. */
int svc_spawn_ended(struct svc_client *c, int rank, int status);

/* svc_spawn_run that tells the server the end of each rank, and returns when the server has all of
 * it. No rank waits for that: who ends while a message is under way goes with the next one. A
 * server that is not there changes nothing for the ranks. -B_ENOMEM: no mailbox is left. */
int svc_spawn_run_reported(const struct svc_job *job, int (*rank_main)(int rank, void *arg),
                           void *arg);

/* Waits for the end of `rank`; SVC_ALL_RANKS: of all, and tells of the first in their order that
 * crashed or had a status other than 0; SVC_FIRST_FAILURE: the same, as soon as one did.
 * -B_ETIMEDOUT after timeout_us; -B_ENOSPC too many wait; -B_EINVAL no such rank. */
enum { SVC_ALL_RANKS = -1, SVC_FIRST_FAILURE = -2 };
int svc_spawn_wait(struct svc_client *c, int rank, uint32_t timeout_us, struct svc_end *end);

/* Says that `service` of the calling cluster has to be ended at `level` (0 .. 255) of the end.
 * -B_ENOSPC: the table is full; -B_EEXIST: it is there. */
int svc_spawn_enlist(struct svc_client *c, enum svc_service service, int level);

/* Ends all enlisted services, highest level first, the next level when the last one answered; the
 * caller is in the cluster of the server (else -B_EPERM). Returns how many did not end as they
 * should. Those that are gone already are no failure. */
int svc_spawn_finish(struct svc_client *c);

#endif
