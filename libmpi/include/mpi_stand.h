/* SPDX-License-Identifier: MIT */
/* What a rank does, for the report of a job that does not go on: not for programs. As
 * mpiutil/stand.h these read a rank from outside, at any instant, and change nothing. */
#ifndef MPI_STAND_H
#define MPI_STAND_H

#include <stdbool.h>
#include <stdint.h>

struct mpu_cluster;
struct mpu_comm;
struct mpu_request;

/* The message without whose end rank `rank` of c does not go on, if it waits for requests; NULL: it
 * does not, or that is no message. */
const struct mpu_request *mpi_stand_message(const struct mpu_cluster *c, int rank);

/* Where rank `rank` of c waits for one of several requests: calls whom(arg, world) with the world
 * rank of each that could end one of them, some several times. False: it does not wait so, or
 * anybody could, as of a request of the program's own making. */
bool mpi_stand_one_of(const struct mpu_cluster *c, int rank, void (*whom)(void *arg, int world),
                      void *arg);

/* The communicator of a context; NULL: the program has freed it. */
const struct mpu_comm *mpi_stand_comm(const struct mpu_cluster *c, int rank, uint32_t context);

/* How many collectives rank `rank` has begun on the communicator of a context: blocking ones, or
 * others if it is not that of blocking ones. 0: the program has freed it. */
uint32_t mpi_stand_collectives(const struct mpu_cluster *c, int rank, uint32_t context);

#endif
