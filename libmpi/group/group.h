/* SPDX-License-Identifier: MIT */
/* Groups: lists of world ranks. */
#ifndef MPI_GROUP_GROUP_H
#define MPI_GROUP_GROUP_H

#include "core/object.h"

/* A list with room for n ranks, to be filled in before anyone else sees it; NULL: no memory. */
struct mpi_ranks *mpi_ranks_new(struct mpi_process *p, int n);

/* Takes a reference back; NULL: nothing. */
void mpi_ranks_drop(struct mpi_process *p, struct mpi_ranks *ranks);

/* The group of the first n of a list, whose reference it takes over. */
struct mpi_group mpi_group_of(struct mpi_process *p, struct mpi_ranks *ranks, int n);

/* The same of n of them from `first` on. */
struct mpi_group mpi_group_part(struct mpi_process *p, struct mpi_ranks *ranks, int first, int n);

/* One more view of g's members, to be given back by mpi_group_drop. */
struct mpi_group mpi_group_share(const struct mpi_group *g);
void mpi_group_drop(struct mpi_process *p, struct mpi_group *g);

/* A handle for g, whose reference it takes over; MPI_GROUP_EMPTY for a group of none. Raises and
 * returns MPI_ERR_NO_MEM, then g is dropped. */
int mpi_group_handle(struct mpi_process *p, const char *call, struct mpi_group g,
                     MPI_Group *handle);

/* The rank of each world rank in g, MPI_UNDEFINED where it has none: as many as the world has
 * ranks; to be freed by mpi_free. NULL: no memory. */
int *mpi_group_index(struct mpi_process *p, const struct mpi_group *g);

/* Rank in g of a world rank, MPI_UNDEFINED if it is no member. */
int mpi_group_find(const struct mpi_group *g, int world);

/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int mpi_group_relation(const struct mpi_group *a, const struct mpi_group *b);

/* Members of a, then those of b that are not in a (union of disjoint ones: a followed by b).
 * -B_ENOMEM. */
int mpi_group_join(struct mpi_process *p, const struct mpi_group *a, const struct mpi_group *b,
                   struct mpi_group *both);

/* The members of g at ranks[0..n-1], in that order. -B_ENOMEM. */
int mpi_group_pick(struct mpi_process *p, const struct mpi_group *g, int n, const int *ranks,
                   struct mpi_group *picked);

/* The members of g for which (keep[rank] != 0) == wanted, in order. -B_ENOMEM. */
int mpi_group_filter(struct mpi_process *p, const struct mpi_group *g, const uint8_t *keep,
                     bool wanted, struct mpi_group *filtered);

/* Checks a list of ranks: in the group, none twice; MPI_ERR_RANK else, raised. *chosen: not 0 for
 * each rank of the list; to be freed. */
int mpi_check_ranks(struct mpi_process *p, const char *call, const struct mpi_group *g, int n,
                    const int *ranks, uint8_t **chosen);

/* The same for ranges (first, last, stride), written out as *many ranks; to be freed. */
int mpi_check_ranges(struct mpi_process *p, const char *call, const struct mpi_group *g, int n,
                     int ranges[][3], int **ranks, int *many);

/* MPI_Group_intersection (in) and MPI_Group_difference (not in), whole. */
int mpi_group_meet(struct mpi_process *p, const char *call, MPI_Group group1, MPI_Group group2,
                   bool in, MPI_Group *newgroup);

/* All members of g are in the (local) group of c; else raises MPI_ERR_GROUP. */
int mpi_check_subset(struct mpi_comm *c, const char *call, const struct mpi_group *g);

#endif
