/* SPDX-License-Identifier: MIT */
/* Named semaphores of the machine, with the meaning of POSIX (sem_open and its family). One
 * server on svc_home(). A semaphore lives from its creation until it is unlinked and closed as
 * often as it was opened; what a cluster that ended has open counts as closed once the server has
 * met its end, by an answer that could not be delivered. Who waits longest is served first. */
#ifndef SVC_SEMAPHORE_H
#define SVC_SEMAPHORE_H

#include <stddef.h>
#include <stdint.h>

#include <svc/client.h>
#include <svc/server.h>

#define SVC_SEM_VALUE_MAX INT32_MAX

enum svc_sem_flag { SVC_SEM_CREATE = 1, SVC_SEM_EXCLUSIVE = 2 };

/* All ask the server and wait for its answer. Common errors: -B_ENOTCONN no semaphore server at
 * home; -B_EIO its cluster ended. An id is valid in all threads of the cluster that opened it; any
 * other is answered -B_EBADF. */

/* Opens the semaphore `name`, or, with SVC_SEM_CREATE, makes it with `value` if there is none;
 * returns its id (>= 0). -B_ENOENT: none, and not to be made; -B_EEXIST: both flags, and there is
 * one; -B_ENOSPC: the server's table is full; -B_EINVAL: name, flags, or a value above the
 * maximum. */
int svc_sem_open(struct svc_client *c, const char *name, unsigned flags, uint32_t value);

/* Undoes one open. -B_EBUSY: it is the last one of this cluster and threads of it wait. */
int svc_sem_close(struct svc_client *c, int id);

/* The name is free again; who has the semaphore open goes on. -B_ENOENT: no such name. */
int svc_sem_unlink(struct svc_client *c, const char *name);

/* Takes a unit, or waits for one. A unit meant for a thread that ended is not lost. timedwait:
 * -B_ETIMEDOUT: none came within timeout_us (but one that is there is taken, whatever timeout_us);
 * trywait: -B_EAGAIN: none is there. -B_ENOSPC: too many threads wait. Neither wait nor timedwait
 * gives up while the server has the request: a unit would get lost. */
int svc_sem_wait(struct svc_client *c, int id);
int svc_sem_timedwait(struct svc_client *c, int id, uint32_t timeout_us);
int svc_sem_trywait(struct svc_client *c, int id);

/* Gives a unit: to who waits longest, else the value grows. -B_ERANGE: it is at its maximum. */
int svc_sem_post(struct svc_client *c, int id);

/* The value now; 0 while threads wait. */
int svc_sem_value(struct svc_client *c, int id, int *value);

/* The server ----------------------------------------------------------------------------------- */

extern const struct svc_class svc_semaphore_server;

/* Bytes of its state in the calling machine for so many semaphores (1 .. 256) and waiting threads;
 * prepares that memory. */
size_t svc_semaphore_bytes(int semaphores, int waiters);
void svc_semaphore_init(void *state, int semaphores, int waiters);

#endif
