/* SPDX-License-Identifier: MIT */
/* Intercommunicators: messages to the other group, and what is made of them. */
#include "check.h"

/* Every rank sends its world rank to every remote one and learns theirs. */
static void talk(MPI_Comm inter, int here, int there, const int *remote_world)
{
    int size, rank, remote, flag = 0, me = world_rank();
    MPI_Status status;
    MPI_Comm_test_inter(inter, &flag);
    CHECK_EQ(flag, 1);
    MPI_Comm_size(inter, &size);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    CHECK_EQ(size, here);
    CHECK_EQ(remote, there);
    MPI_Request *sends = malloc((size_t)there * sizeof *sends);
    for (int i = 0; i < there; i++)
        MPI_Isend(&me, 1, MPI_INT, i, rank, inter, &sends[i]);
    for (int i = 0; i < there; i++) {
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, i, MPI_ANY_TAG, inter, &status);
        CHECK_EQ(got, remote_world[i]);
        CHECK_EQ(status.MPI_SOURCE, i);
        CHECK_EQ(status.MPI_TAG, i);
    }
    MPI_Waitall(there, sends, MPI_STATUSES_IGNORE);
    free(sends);
}

/* The world ranks of the remote group. */
static int members(MPI_Comm inter, int *world)
{
    MPI_Group all, remote;
    int n, ranks[64];
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Group_size(remote, &n);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(remote, n, ranks, all, world);
    MPI_Group_free(&all);
    MPI_Group_free(&remote);
    return n;
}

/* Ranks 0 .. n/2-1 on one side, the others on the other. */
static MPI_Comm bridge(int rank, int size, MPI_Comm *local)
{
    int low = rank < size / 2, half = size / 2;
    MPI_Comm inter;
    MPI_Comm_split(MPI_COMM_WORLD, low, low ? -rank : rank, local);
    /* the leaders: on the low side rank 0, the last there; on the high side rank size-1 */
    int leader = low ? half - 1 : size - half - 1;
    CHECK_EQ(MPI_Intercomm_create(*local, leader, MPI_COMM_WORLD, low ? size - 1 : 0, 17, &inter),
             MPI_SUCCESS);
    return inter;
}

static void merge(MPI_Comm inter, int rank, int size)
{
    MPI_Comm one;
    int low = rank < size / 2, half = size / 2, got, result;
    MPI_Intercomm_merge(inter, low, &one); /* the low side is the high group */
    MPI_Comm_size(one, &got);
    CHECK_EQ(got, size);
    MPI_Comm_rank(one, &got);
    CHECK_EQ(got, low ? size - half + (half - 1 - rank) : rank - half);
    MPI_Comm_compare(one, MPI_COMM_WORLD, &result);
    CHECK_EQ(result, MPI_SIMILAR);
    MPI_Comm_free(&one);
    MPI_Intercomm_merge(inter, 0, &one); /* the side with the lower first rank */
    MPI_Comm_rank(one, &got);
    CHECK_EQ(got, low ? half - 1 - rank : rank);
    MPI_Comm_free(&one);
}

static void derive(MPI_Comm inter, int rank, int size)
{
    MPI_Comm dup, part;
    MPI_Group group, some;
    int low = rank < size / 2, half = size / 2, first = 0, world[64], n, result, me;
    MPI_Comm_dup(inter, &dup);
    MPI_Comm_compare(inter, dup, &result);
    CHECK_EQ(result, MPI_CONGRUENT);
    MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
    CHECK_EQ(result, MPI_UNEQUAL);
    talk(dup, low ? half : size - half, low ? size - half : half, (members(dup, world), world));
    /* the first of each side */
    MPI_Comm_group(dup, &group);
    MPI_Group_incl(group, 1, &first, &some);
    MPI_Comm_create(dup, some, &part);
    MPI_Comm_rank(dup, &me);
    CHECK_EQ(part != MPI_COMM_NULL, me == 0);
    if (part != MPI_COMM_NULL) {
        n = members(part, world);
        CHECK_EQ(n, 1);
        CHECK_EQ(world[0], low ? half : half - 1);
        talk(part, 1, 1, world);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&some);
    /* everyone but the last of the larger side; color 1 has nobody there */
    MPI_Comm_split(dup, low || rank < size - 1 || size == 2 ? 0 : 1, rank, &part);
    if (!low && rank == size - 1 && size > 2)
        CHECK(part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL) {
        n = members(part, world);
        for (int i = 0; i < n; i++)
            CHECK_EQ(world[i], low ? half + i : i);
        MPI_Comm_size(part, &me);
        talk(part, me, n, world);
        MPI_Comm_free(&part);
    }
    MPI_Comm_free(&dup);
}

/* Both sides of what shares memory; nothing where one side has no rank there. */
static void share(MPI_Comm inter)
{
    MPI_Comm near, part;
    MPI_Group near_group, remote, both;
    int n, got;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_group(near, &near_group);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Group_intersection(near_group, remote, &both);
    MPI_Group_size(both, &n);
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
    CHECK_EQ(part != MPI_COMM_NULL, n > 0);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_remote_size(part, &got);
        CHECK_EQ(got, n);
        MPI_Comm_free(&part);
    }
    MPI_Comm_split_type(inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &part);
    CHECK(part == MPI_COMM_NULL);
    MPI_Group_free(&both);
    MPI_Group_free(&remote);
    MPI_Group_free(&near_group);
    MPI_Comm_free(&near);
}

static void wrong(MPI_Comm inter)
{
    MPI_Comm comm;
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_create_group(inter, MPI_GROUP_EMPTY, 0, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Cart_create(inter, 0, NULL, NULL, 0, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Send(NULL, 0, MPI_INT, 1000, 0, inter), MPI_ERR_RANK);
}

/* The leader's mistake ends the call for its whole group. */
static void wrong_leader(MPI_Comm local)
{
    MPI_Comm comm;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1000, 0, &comm), MPI_ERR_RANK);
    CHECK_EQ(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 0, -4, &comm), MPI_ERR_TAG);
    CHECK_EQ(MPI_Intercomm_create(local, 0, MPI_COMM_NULL, 0, 0, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Intercomm_create(local, 99, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_RANK);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), world[64];
    CHECK(size > 1 && size <= 64);
    int low = rank < size / 2, half = size / 2;
    MPI_Comm local, inter = bridge(rank, size, &local);
    int n = members(inter, world);
    CHECK_EQ(n, low ? size - half : half);
    for (int i = 0; i < n; i++)
        CHECK_EQ(world[i], low ? half + i : half - 1 - i);
    talk(inter, low ? half : size - half, n, world);
    merge(inter, rank, size);
    derive(inter, rank, size);
    share(inter);
    wrong(inter);
    MPI_Comm_disconnect(&inter);
    CHECK(inter == MPI_COMM_NULL);
    wrong_leader(local);
    MPI_Comm_free(&local);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
