/* SPDX-License-Identifier: MIT */
/* The services that a job has, in one cluster: services.c says what runs where and when. */
#ifndef IMAGE_SERVICES_H
#define IMAGE_SERVICES_H

#include <stdbool.h>
#include <stddef.h>

#include <svc/client.h>
#include <svc/daemon.h>
#include <svc/spawn.h>
#include <sys/k_info.h>

enum { IMAGE_SERVERS = 5 };

struct image_service {
    struct svc_daemon *daemon; /* its pages, in which its state follows */
    size_t bytes;
};

/* Memory of the caller's from begin to end; used by its thread alone. */
struct image_services {
    const struct svc_job *job;
    bool on;                  /* this machine has services */
    bool home, memory, ranks; /* what this cluster is */
    struct k_info info;
    struct svc_client client;
    struct image_service server[IMAGE_SERVERS]; /* those that run here */
    struct image_service names;                 /* only where ranks are */
};

/* Starts what runs in the calling cluster, memory servers if asked; *job stays valid. Waits until
 * the servers of the machine are up. A machine has services if it has I/O clusters, or if it is a
 * single cluster. Errors, after which the machine cannot go on: -B_ENOMEM no pages, no thread, no
 * mailbox. */
int image_services_begin(struct image_services *s, const struct svc_job *job, bool memory);

/* svc_spawn_run of the job's ranks; their ends are reported where there are services. */
int image_services_run(struct image_services *s, int (*rank_main)(int rank, void *arg), void *arg);

/* Ends what begin started; at home waits for the end of all ranks of the job first. */
void image_services_end(struct image_services *s);

#endif
