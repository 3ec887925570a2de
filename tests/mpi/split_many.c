/* SPDX-License-Identifier: MIT */
/* Splits of more ranks than each cluster keeps the wishes of for each of its ranks: by colors and
 * keys in disorder, some undefined, again of what was split, against a count of who wished what. */
#include <stdlib.h>

#include "check.h"

enum { COLORS = 7, KEYS = 50 };

static int color_of(int rank)
{
    int c = rank * 5 % (COLORS + 1);
    return c < COLORS ? c : MPI_UNDEFINED;
}

static int key_of(int rank)
{
    return rank * 31 % KEYS - KEYS / 2;
}

static int before(int a, int b)
{
    return key_of(a) < key_of(b) || (key_of(a) == key_of(b) && a < b);
}

/* `old` is a communicator whose rank i is i in the world. */
static void split(MPI_Comm old)
{
    int rank, size, want_rank = 0, want_size = 0, got_rank, got_size, *all;
    MPI_Comm part;
    MPI_Comm_rank(old, &rank);
    MPI_Comm_size(old, &size);
    MPI_Comm_split(old, color_of(rank), key_of(rank), &part);
    CHECK((part == MPI_COMM_NULL) == (color_of(rank) == MPI_UNDEFINED));
    if (part == MPI_COMM_NULL)
        return;
    for (int i = 0; i < size; i++) {
        want_size += color_of(i) == color_of(rank);
        want_rank += color_of(i) == color_of(rank) && before(i, rank);
    }
    MPI_Comm_rank(part, &got_rank);
    MPI_Comm_size(part, &got_size);
    CHECK_EQ(got_size, want_size);
    CHECK_EQ(got_rank, want_rank);
    all = malloc((size_t)got_size * sizeof *all);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, part);
    for (int i = 1; i < got_size; i++)
        CHECK(before(all[i - 1], all[i]));
    free(all);
    MPI_Comm_free(&part);
}

/* Fours in turned order, of which each rank has a list of its own. */
static void split_small(void)
{
    int rank, size, place, got;
    MPI_Comm four;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, -rank, &four);
    MPI_Comm_rank(four, &place);
    MPI_Comm_size(four, &got);
    CHECK_EQ(got, size - rank / 4 * 4 < 4 ? size % 4 : 4);
    CHECK_EQ(place, got - 1 - rank % 4);
    MPI_Comm_free(&four);
}

int main(int argc, char **argv)
{
    int rank, size, place;
    MPI_Comm turned, same;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    split(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Comm_rank(turned, &place);
    CHECK_EQ(place, size - 1 - rank);
    MPI_Comm_split(turned, 0, rank, &same);
    MPI_Comm_free(&turned);
    split(same);
    MPI_Comm_free(&same);
    split_small();
    MPI_Finalize();
    return 0;
}
