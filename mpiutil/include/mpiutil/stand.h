/* SPDX-License-Identifier: MIT */
/* How a rank stands, as another one may see it at any instant: for reports of jobs that do not go
 * on. Takes no lock, never waits, changes nothing. */
#ifndef MPIUTIL_STAND_H
#define MPIUTIL_STAND_H

#include <mpiutil/rank.h>

struct mpu_cluster;
struct mpu_request;

struct mpu_stand {
    struct mpu_doing doing; /* .call NULL: in no call that waits or asks */
    int peer;               /* world rank of doing.peer, or as that: MPU_ANY, MPU_ALL */
    bool full; /* it takes no messages of other clusters, as there is no memory for them */

    int slots; /* sends of it wait for one of so many slots, all of which are taken; 0: none does */

    /* In the end of MPI: a send of its own that its receiver has not asked for, and whether there
     * are more. Else NULL, false. */
    const struct mpu_request *unreceived;
    bool unreceived_more;

    /* A message that has come and that the rank does not take, though it is from whom it wants one,
     * or with the tag that it wants. */
    bool near;
    int near_source, near_tag;   /* world rank, tag */
    bool near_elsewhere;         /* of another communicator */
    int asked_source, asked_tag; /* what it is like: a world rank, tag, or MPU_ANY */
};

/* Where rank `rank` of cluster c says what it does, for who reads it from outside the process. */
const struct mpu_doing *mpu_stand_doing(const struct mpu_cluster *c, int rank);

/* What mpu_rank_set_user gave that rank. */
const void *mpu_stand_user(const struct mpu_cluster *c, int rank);

/* Of rank `rank`, which lives in cluster c. */
void mpu_stand(const struct mpu_cluster *c, int rank, struct mpu_stand *s);

/* Where the program started a send is noted as `site` says it, from now on, for all ranks of c:
 * mpu_stand_site. It may take a few nanoseconds. */
void mpu_stand_sites(struct mpu_cluster *c, uint64_t (*site)(void));
uintptr_t mpu_stand_site(const struct mpu_request *send); /* 0: unknown */

/* Whether q is a send under way. */
bool mpu_stand_sends(const struct mpu_request *q);

/* The i-th member of what s waits in, as world rank; -1: there are no more. */
int mpu_stand_member(const struct mpu_cluster *c, const struct mpu_stand *s, int i);

#endif
