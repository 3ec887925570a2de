/* SPDX-License-Identifier: MIT */
/* Messages of derived types: sender and receiver describe the same elements in other ways; sizes on
 * both sides of every protocol; what the receiver's type leaves out stays as it was. Two ranks
 * exchange a column of a matrix, halves of it, blocks of a distributed array, and too much. */
#include <string.h>

#include "check.h"

enum { ROWS = 200, COLUMNS = 30 };

/* Rank 0 sends column `c` of its matrix; rank 1 gets it as a row, and the other way round. */
static void column(int me, int rows)
{
    MPI_Datatype type;
    MPI_Status status;
    int *matrix = calloc((size_t)rows * COLUMNS, sizeof(int)), count, elements;
    int *line = malloc((size_t)rows * sizeof(int));
    MPI_Type_vector(rows, 1, COLUMNS, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int c = 0; c < COLUMNS; c += 7) {
        for (int i = 0; i < rows; i++)
            line[i] = 1000 * c + i;
        if (me == 0) {
            for (int i = 0; i < rows; i++)
                matrix[i * COLUMNS + c] = line[i];
            MPI_Send(matrix + c, 1, type, 1, c, MPI_COMM_WORLD);
            memset(line, 0, (size_t)rows * sizeof(int));
            MPI_Recv(line, rows, MPI_INT, 1, c, MPI_COMM_WORLD, &status);
        } else {
            memset(matrix, 0, (size_t)rows * COLUMNS * sizeof(int));
            MPI_Recv(matrix + c, 1, type, 0, c, MPI_COMM_WORLD, &status);
            for (int i = 0; i < rows * COLUMNS; i++)
                CHECK_EQ(matrix[i], i % COLUMNS == c ? 1000 * c + i / COLUMNS : 0);
            MPI_Send(line, rows, MPI_INT, 0, c, MPI_COMM_WORLD);
        }
        MPI_Get_count(&status, me ? type : MPI_INT, &count);
        CHECK_EQ(count, me ? 1 : rows);
        MPI_Get_elements(&status, type, &elements);
        CHECK_EQ(elements, rows);
    }
    for (int i = 0; me == 0 && i < rows; i++)
        CHECK_EQ(line[i], 1000 * ((COLUMNS - 1) / 7 * 7) + i);
    MPI_Type_free(&type);
    free(matrix);
    free(line);
}

/* Fewer elements than the type has: the rest stays; there is no count, but elements. */
static void part(int me)
{
    MPI_Datatype type;
    MPI_Status status;
    struct {
        double value;
        int index;
    } pairs[5], want = {7.0, -1};
    int count;
    MPI_Type_contiguous(5, MPI_DOUBLE_INT, &type);
    MPI_Type_commit(&type);
    memset(pairs, 0, sizeof pairs);
    for (int i = 0; i < 5; i++)
        pairs[i].value = me ? 7 : i, pairs[i].index = me ? -1 : 10 * i;
    if (me == 0) {
        MPI_Send(pairs, 3, MPI_DOUBLE_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(pairs, 1, type, 0, 1, MPI_COMM_WORLD, &status);
        for (int i = 0; i < 5; i++) {
            CHECK(pairs[i].value == (i < 3 ? i : want.value));
            CHECK_EQ(pairs[i].index, i < 3 ? 10 * i : want.index);
        }
        MPI_Get_count(&status, type, &count);
        CHECK_EQ(count, MPI_UNDEFINED);
        MPI_Get_elements(&status, type, &count);
        CHECK_EQ(count, 6);
        MPI_Get_count(&status, MPI_DOUBLE_INT, &count);
        CHECK_EQ(count, 3);
    }
    MPI_Type_free(&type);
}

/* A type may be freed while messages of it are under way. */
static void freed(int me)
{
    MPI_Datatype type;
    MPI_Request request;
    int n = ROWS * 8, *data = malloc((size_t)n * 2 * sizeof(int));
    for (int i = 0; i < 2 * n; i++)
        data[i] = me ? -1 : i;
    MPI_Type_vector(n, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (me == 0)
        MPI_Isend(data, 1, type, 1, 2, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(data, 1, type, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; me && i < 2 * n - 1; i++)
        CHECK_EQ(data[i], i % 2 ? -1 : i);
    free(data);
}

/* Two ranks own a 10 x 12 array, its columns dealt in blocks of 2: each sends its part, by its
 * type of the whole array; together they have it all. */
static void distributed(int me)
{
    enum { H = 10, W = 12 };
    const int sizes[] = {H, W}, distribs[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC};
    const int args[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {1, 2};
    int all[H * W], mine[H * W], other = 1 - me;
    MPI_Datatype type[2];
    for (int r = 0; r < 2; r++) {
        MPI_Type_create_darray(2, r, 2, sizes, distribs, args, grid, MPI_ORDER_C, MPI_INT,
                               &type[r]);
        MPI_Type_commit(&type[r]);
    }
    for (int i = 0; i < H * W; i++)
        mine[i] = all[i] = i % W / 2 % 2 == me ? 500 + i : -1;
    MPI_Sendrecv(mine, 1, type[me], other, 3, all, 1, type[other], other, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < H * W; i++)
        CHECK_EQ(all[i], 500 + i);
    MPI_Type_free(&type[0]);
    MPI_Type_free(&type[1]);
}

static void truncated(int me)
{
    MPI_Datatype type;
    int data[10] = {0}, rc = MPI_SUCCESS;
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me == 0) {
        for (int i = 0; i < 10; i++)
            data[i] = i + 1;
        MPI_Send(data, 10, MPI_INT, 1, 4, MPI_COMM_WORLD);
    } else {
        rc = MPI_Recv(data, 1, type, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(rc, MPI_ERR_TRUNCATE);
        for (int i = 0; i < 10; i++) /* nothing beyond the type is touched */
            CHECK(data[i] == 0 || (i % 2 == 0 && i < 6));
    }
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    static const int rows[] = {1, 3, 24, 25, 33, ROWS, 5 * ROWS, 50 * ROWS};
    MPI_Init(&argc, &argv);
    int me = world_rank();
    for (unsigned int i = 0; i < sizeof rows / sizeof rows[0]; i++)
        column(me, rows[i]);
    part(me);
    freed(me);
    distributed(me);
    truncated(me);
    MPI_Finalize();
    return 0;
}
