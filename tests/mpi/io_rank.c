/* SPDX-License-Identifier: MIT */
/* The rank on an I/O cluster: outside MPI_COMM_WORLD, member of the set "lwmpi://CHIP".
 * io_rank N: MPI_COMM_WORLD has N ranks, and there is an I/O rank. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LONG_MESSAGE 20000

static MPI_Comm chip_of(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm chip;
    CHECK_EQ(MPI_Group_from_session_pset(session, "lwmpi://CHIP", &group), MPI_SUCCESS);
    CHECK_EQ(MPI_Comm_create_from_group(group, "chip", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &chip),
             MPI_SUCCESS);
    CHECK_EQ(MPI_Group_free(&group), MPI_SUCCESS);
    return chip;
}

static void check_sets(MPI_Session session)
{
    int n = 0, found = 0;
    CHECK_EQ(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n), MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        char name[MPI_MAX_PSET_NAME_LEN];
        int room = sizeof name;
        CHECK_EQ(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name), MPI_SUCCESS);
        found += strcmp(name, "lwmpi://CHIP") == 0;
    }
    CHECK_EQ(found, 1);
}

static void check_groups(MPI_Comm chip, int n, int rank)
{
    MPI_Group whole, world, rest;
    int size, first = 0, there = -2;
    MPI_Comm_group(chip, &whole);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    CHECK_EQ(MPI_Group_difference(whole, world, &rest), MPI_SUCCESS);
    MPI_Group_size(rest, &size);
    CHECK_EQ(size, rank == n ? n : 1);
    CHECK_EQ(MPI_Group_translate_ranks(rest, 1, &first, whole, &there), MPI_SUCCESS);
    CHECK_EQ(there, rank == n ? 0 : n);
    MPI_Group_free(&whole);
    MPI_Group_free(&world);
    MPI_Group_free(&rest);
}

/* Every rank of the world and the I/O rank, short and long, both ways. */
static void check_messages(MPI_Comm chip, int n, int rank)
{
    static const int lengths[] = {1, 90, 3000, LONG_MESSAGE};
    char *data = malloc(LONG_MESSAGE);
    CHECK(data != NULL);
    for (int i = 0; i < 4; i++) {
        if (rank < n) {
            memset(data, 'a' + rank % 26, (size_t)lengths[i]);
            MPI_Send(data, lengths[i], MPI_CHAR, n, i, chip);
            MPI_Recv(data, lengths[i], MPI_CHAR, n, i, chip, MPI_STATUS_IGNORE);
            CHECK_EQ(data[lengths[i] - 1], 'A' + rank % 26);
        }
        for (int from = 0; rank == n && from < n; from++) {
            MPI_Recv(data, lengths[i], MPI_CHAR, from, i, chip, MPI_STATUS_IGNORE);
            CHECK_EQ(data[lengths[i] - 1], 'a' + from % 26);
            memset(data, 'A' + from % 26, (size_t)lengths[i]);
            MPI_Send(data, lengths[i], MPI_CHAR, from, i, chip);
        }
    }
    free(data);
}

static void check_collectives(MPI_Comm chip, int n, int rank)
{
    int sum = -1, mine = rank + 1, split, size, world;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, chip);
    CHECK_EQ(sum, (n + 1) * (n + 2) / 2);
    int of_io = rank == n ? 4711 : 0;
    MPI_Bcast(&of_io, 1, MPI_INT, n, chip);
    CHECK_EQ(of_io, 4711);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, rank == n ? n + 1 : n * (n + 1) / 2);
    MPI_Comm halves, copy;
    MPI_Comm_split(chip, rank % 2, -rank, &halves);
    MPI_Comm_size(halves, &size);
    CHECK_EQ(size, (n + 2 - rank % 2) / 2);
    MPI_Comm_free(&halves);
    MPI_Comm_dup(chip, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Info part;
    MPI_Info_create(&part);
    MPI_Info_set(part, "mpi_hw_resource_type", "lwmpi://cluster");
    MPI_Comm_split_type(chip, MPI_COMM_TYPE_HW_GUIDED, 0, part, &halves);
    MPI_Info_free(&part);
    MPI_Comm_size(halves, &split);
    CHECK(rank < n || split == 1);
    MPI_Comm_free(&halves);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    CHECK_EQ(world, rank == n ? 1 : n);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, rank, size;
    MPI_Session session;
    MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    check_sets(session);
    MPI_Comm chip = chip_of(session);
    MPI_Comm_rank(chip, &rank);
    MPI_Comm_size(chip, &size);
    CHECK_EQ(size, n + 1);
    check_groups(chip, n, rank);
    check_messages(chip, n, rank);
    check_collectives(chip, n, rank);
    MPI_Comm_free(&chip);
    MPI_Session_finalize(&session);
    MPI_Finalize();
    return 0;
}
