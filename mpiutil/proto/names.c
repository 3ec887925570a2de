/* SPDX-License-Identifier: MIT */
/* Where a rank is follows from the job. The sets that repeat uller-2021 ask the name service all
 * the same, before each message, as the paper's library did (5.7.2): the daemon of the own cluster,
 * which remembers. A machine without services has nobody to ask. */
#include <base/error.h>
#include <base/fmt.h>
#include <svc/name.h>

#include "progress/progress.h"
#include "proto/proto.h"

#define NAME 32

static void name_of(char *text, int rank)
{
    b_fmt(text, NAME, "mpi rank %d", rank);
}

/* The name is the rank's mailbox. */
int mpu_names_begin(struct mpu_rank *r)
{
    char name[NAME];
    struct svc_client *c = mpu_alloc(r, sizeof *c);
    int rc = c ? svc_client_open(c) : -B_ENOMEM;
    if (rc) {
        mpu_free(r, c);
        return rc;
    }
    name_of(name, r->number);
    rc = svc_name_link(c, name, r->local, SVC_NO_LIMIT);
    if (rc == 0) {
        r->names = c;
        return 0;
    }
    svc_client_close(c);
    mpu_free(r, c);
    return rc == -B_ENOTCONN ? 0 : rc;
}

void mpu_names_end(struct mpu_rank *r)
{
    char name[NAME];
    if (!r->names)
        return;
    name_of(name, r->number);
    svc_name_unlink(r->names, name);
    svc_client_close(r->names);
    mpu_free(r, r->names);
    r->names = NULL;
}

void mpu_names_ask(struct mpu_rank *r, int rank)
{
    char name[NAME];
    struct svc_address at;
    struct svc_place place = mpu_place(r->cluster, rank);
    if (!r->names)
        return;
    name_of(name, rank);
    int rc = svc_name_lookup(r->names, name, &at);
    if (rc < 0)
        mpu_fail(r, "cannot look a rank up", rc);
    if (at.node != place.cluster || at.port != place.local)
        mpu_fail(r, "a rank is not where it should be", B_EPROTO);
    k_count("lookups", 1);
}
