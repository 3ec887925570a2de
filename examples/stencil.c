/* SPDX-License-Identifier: MIT */
/* Heat in a plate: each point becomes the mean of its four neighbours, again and again. The ranks
 * form a grid (Cartesian topology); each holds a block with a border of its neighbours' points. A
 * row of a block lies together in memory, a column does not: it is a vector type. At the end rank 0
 * receives each block at its place in the plate, a subarray, and compares with its own serial run.
 *     mpicc stencil.c -o stencil && mpiexec -n 6 ./stencil 100
 *     mpiexec -n 192 --machine mppa256 ./stencil
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { ROWS = 48, COLUMNS = 64, DOWN = 0, ACROSS = 1 };

/* A part of the plate: rows x columns points from (row, column) on. In memory it has a border of
 * one point all around. */
struct block {
    int row, column, rows, columns, width;
    double *now, *next;
};

static int first(int points, int parts, int part)
{
    return points * part / parts;
}

/* The block of the rank at these coordinates. */
static struct block block_at(const int dims[2], const int at[2])
{
    struct block b = {.row = first(ROWS, dims[DOWN], at[DOWN]),
                      .column = first(COLUMNS, dims[ACROSS], at[ACROSS])};
    b.rows = first(ROWS, dims[DOWN], at[DOWN] + 1) - b.row;
    b.columns = first(COLUMNS, dims[ACROSS], at[ACROSS] + 1) - b.column;
    b.width = b.columns + 2;
    return b;
}

/* The plate is cold, but its upper edge is hot: that border never changes. */
static void make(struct block *b)
{
    size_t points = (size_t)(b->rows + 2) * (size_t)b->width;
    b->now = calloc(points, sizeof *b->now);
    b->next = calloc(points, sizeof *b->next);
    if (!b->now || !b->next)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int x = 0; x < b->width && b->row == 0; x++)
        b->now[x] = b->next[x] = 100.0;
}

static void step(struct block *b)
{
    for (int y = 1; y <= b->rows; y++) {
        for (int x = 1; x <= b->columns; x++) {
            const double *p = b->now + y * b->width + x;
            b->next[y * b->width + x] = (p[-1] + p[1] + p[-b->width] + p[b->width]) / 4;
        }
    }
    double *swap = b->now;
    b->now = b->next;
    b->next = swap;
}

/* Gives the outermost rows and columns to the neighbours and gets theirs. Where there is none, the
 * neighbour is MPI_PROC_NULL and nothing happens. */
static void exchange(struct block *b, MPI_Comm grid, MPI_Datatype row, MPI_Datatype column)
{
    int up, down, left, right, w = b->width;
    double *p = b->now;
    MPI_Request q[8];
    MPI_Cart_shift(grid, DOWN, 1, &up, &down);
    MPI_Cart_shift(grid, ACROSS, 1, &left, &right);
    MPI_Irecv(p + 1, 1, row, up, DOWN, grid, &q[0]);
    MPI_Irecv(p + (b->rows + 1) * w + 1, 1, row, down, DOWN, grid, &q[1]);
    MPI_Irecv(p + w, 1, column, left, ACROSS, grid, &q[2]);
    MPI_Irecv(p + w + b->columns + 1, 1, column, right, ACROSS, grid, &q[3]);
    MPI_Isend(p + w + 1, 1, row, up, DOWN, grid, &q[4]);
    MPI_Isend(p + b->rows * w + 1, 1, row, down, DOWN, grid, &q[5]);
    MPI_Isend(p + w + 1, 1, column, left, ACROSS, grid, &q[6]);
    MPI_Isend(p + w + b->columns, 1, column, right, ACROSS, grid, &q[7]);
    MPI_Waitall(8, q, MPI_STATUSES_IGNORE);
}

/* The type of a block without its border inside an array of so many rows and columns. */
static MPI_Datatype part_of(int rows, int columns, int row, int column, const struct block *b)
{
    MPI_Datatype type;
    MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){b->rows, b->columns},
                             (int[]){row, column}, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Rank 0 of the grid gets the whole plate, ROWS x COLUMNS. */
static void collect(const struct block *mine, MPI_Comm grid, const int dims[2], double *plate)
{
    int me, size, at[2];
    MPI_Comm_rank(grid, &me);
    MPI_Comm_size(grid, &size);
    MPI_Datatype inside = part_of(mine->rows + 2, mine->width, 1, 1, mine);
    MPI_Request sent;
    MPI_Isend(mine->now, 1, inside, 0, 2, grid, &sent);
    for (int rank = 0; rank < size && me == 0; rank++) {
        MPI_Cart_coords(grid, rank, 2, at);
        struct block b = block_at(dims, at);
        MPI_Datatype place = part_of(ROWS, COLUMNS, b.row, b.column, &b);
        MPI_Recv(plate, 1, place, rank, 2, grid, MPI_STATUS_IGNORE);
        MPI_Type_free(&place);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Type_free(&inside);
}

/* How many rows differ from a run of one block that is the whole plate. */
static int differences(const double *plate, int steps)
{
    struct block b = block_at((int[]){1, 1}, (int[]){0, 0});
    int wrong = 0;
    make(&b);
    for (int i = 0; i < steps; i++)
        step(&b);
    for (int y = 0; y < ROWS; y++)
        wrong += memcmp(plate + y * COLUMNS, b.now + (y + 1) * b.width + 1,
                        COLUMNS * sizeof *plate) != 0;
    free(b.now);
    free(b.next);
    return wrong;
}

static double mean(const double *plate)
{
    double sum = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        sum += plate[i];
    return sum / (ROWS * COLUMNS);
}

int main(int argc, char **argv)
{
    int size, me, dims[2] = {0, 0}, at[2], wrong = 0;
    MPI_Comm grid;
    MPI_Datatype row, column;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 50;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){0, 0}, 1, &grid);
    MPI_Comm_rank(grid, &me);
    MPI_Cart_coords(grid, me, 2, at);
    struct block b = block_at(dims, at);
    make(&b);
    MPI_Type_contiguous(b.columns, MPI_DOUBLE, &row);
    MPI_Type_vector(b.rows, 1, b.width, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    for (int i = 0; i < steps; i++) {
        exchange(&b, grid, row, column);
        step(&b);
    }
    double *plate = me == 0 ? calloc(ROWS * COLUMNS, sizeof *plate) : NULL;
    collect(&b, grid, dims, plate);
    if (me == 0) {
        wrong = differences(plate, steps);
        printf("%d steps on a grid of %d x %d ranks: %s; %.3f degrees in the mean\n", steps,
               dims[DOWN], dims[ACROSS], wrong ? "WRONG" : "as a serial run", mean(plate));
    }
    free(plate);
    free(b.now);
    free(b.next);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return wrong != 0;
}
