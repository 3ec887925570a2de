/* SPDX-License-Identifier: MIT */
/* Conjugate gradients on a sparse matrix: the 27 points around each of a cube, 26 in the diagonal
 * and -1 beside it, in compressed rows. The cube is cut in three directions; each product
 * exchanges the faces, edges and corners with up to 26 neighbours, and each iteration reduces two
 * numbers over all ranks, one after the other.
 *
 * A step solves for a right-hand side that was made of a known solution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

enum { SIDE = 16, ITERATIONS = 40, WAYS = 27, HERE = 13 };

/* What one neighbour needs of this rank, and where in a vector what comes from it stands. */
struct link {
    int rank, sent, received;
    int *rows;   /* the `sent` rows it needs */
    int columns; /* number of the first that it sends */
    double *packed;
};

struct cg {
    MPI_Comm grid;
    int first[3], size[3]; /* the part of the cube: x, y, z */
    int rows, columns;     /* own ones, and with those of neighbours behind them */
    struct link link[WAYS];
    int links;
    int *start, *column; /* of each row, of each number in the rows */
    double *value;
    double *x, *r, *p, *q, *exact; /* p and exact have room for the neighbours' */
    int steps;
};

static bool suits(int ranks)
{
    return ranks <= SIDE;
}

/* The cells of a part that lie `way` (-1, 0, 1 in each direction) out of it, or, within it, at that
 * side: first and end in each direction, counted from the first cell of the part. */
static int range(const struct cg *c, int way, bool outside, int from[3], int to[3])
{
    int step[3] = {way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1};

    for (int d = 0; d < 3; d++) {
        int last = outside ? c->size[d] : c->size[d] - 1, least = outside ? -1 : 0;
        from[d] = step[d] > 0 ? last : step[d] < 0 ? least : 0;
        to[d] = step[d] ? from[d] + 1 : c->size[d];
    }
    return (to[0] - from[0]) * (to[1] - from[1]) * (to[2] - from[2]);
}

/* Where a cell stands in a cube of numbers that has a rim of one cell. */
static int cell(const struct cg *c, int x, int y, int z)
{
    return ((z + 1) * (c->size[1] + 2) + y + 1) * (c->size[0] + 2) + x + 1;
}

/* Numbers the cells outside in one way behind the others and lists those that are sent there. Both
 * sides go through the same cells in the same order. */
static void make_link(struct cg *c, int way, int rank, int *number)
{
    struct link *l = &c->link[c->links++];
    int from[3], to[3], k = 0;

    l->rank = rank;
    l->columns = c->columns;
    l->received = range(c, way, true, from, to);
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++)
                number[cell(c, x, y, z)] = c->columns++;
    l->sent = range(c, way, false, from, to);
    l->rows = programs_memory((size_t)l->sent * sizeof *l->rows);
    l->packed = programs_memory((size_t)l->sent * sizeof *l->packed);
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++)
                l->rows[k++] = number[cell(c, x, y, z)];
}

static void find_neighbours(struct cg *c, const int parts[3], const int place[3], int *number)
{
    for (int way = 0; way < WAYS; way++) {
        int at[3] = {place[0] + way % 3 - 1, place[1] + way / 3 % 3 - 1, place[2] + way / 9 - 1};
        bool inside = true;
        int rank;

        for (int d = 0; d < 3; d++)
            inside = inside && at[d] >= 0 && at[d] < parts[d];
        if (way == HERE || !inside)
            continue;
        MPI_Cart_rank(c->grid, at, &rank);
        make_link(c, way, rank, number);
    }
}

/* One row after the other; what lies outside the cube has no number. */
static void make_rows(struct cg *c, const int *number)
{
    int n = 0, row = 0;

    c->start = programs_memory((size_t)(c->rows + 1) * sizeof *c->start);
    c->column = programs_memory((size_t)c->rows * WAYS * sizeof *c->column);
    c->value = programs_memory((size_t)c->rows * WAYS * sizeof *c->value);
    for (int z = 0; z < c->size[2]; z++)
        for (int y = 0; y < c->size[1]; y++)
            for (int x = 0; x < c->size[0]; x++) {
                for (int way = 0; way < WAYS; way++) {
                    int k = number[cell(c, x + way % 3 - 1, y + way / 3 % 3 - 1, z + way / 9 - 1)];
                    if (k < 0)
                        continue;
                    c->column[n] = k;
                    c->value[n++] = way == HERE ? 26 : -1;
                }
                c->start[++row] = n;
            }
}

static void *make(MPI_Comm comm)
{
    struct cg *c = programs_memory(sizeof *c);
    int parts[3], place[3];

    c->grid = programs_grid(comm, 3, parts, place, false);
    for (int d = 0; d < 3; d++) {
        c->first[d] = programs_cut(SIDE, parts[d], place[d]);
        c->size[d] = programs_cut(SIDE, parts[d], place[d] + 1) - c->first[d];
    }
    c->rows = c->size[0] * c->size[1] * c->size[2];
    size_t cells = (size_t)(c->size[0] + 2) * (size_t)(c->size[1] + 2) * (size_t)(c->size[2] + 2);
    int *number = programs_memory(cells * sizeof *number);
    for (size_t i = 0; i < cells; i++)
        number[i] = -1;
    for (int z = 0; z < c->size[2]; z++)
        for (int y = 0; y < c->size[1]; y++)
            for (int x = 0; x < c->size[0]; x++)
                number[cell(c, x, y, z)] = c->columns++;
    find_neighbours(c, parts, place, number);
    make_rows(c, number);
    free(number);
    double **vector[5] = {&c->x, &c->r, &c->q, &c->p, &c->exact};
    for (int i = 0; i < 5; i++)
        *vector[i] = programs_memory((size_t)c->columns * sizeof(double));
    return c;
}

/* into = the matrix times p, whose part of the neighbours comes from them first. */
static void multiply(struct cg *c, double *p, double *into)
{
    MPI_Request request[2 * WAYS];

    for (int i = 0; i < c->links; i++)
        MPI_Irecv(p + c->link[i].columns, c->link[i].received, MPI_DOUBLE, c->link[i].rank, 0,
                  c->grid, &request[i]);
    for (int i = 0; i < c->links; i++) {
        struct link *l = &c->link[i];
        for (int k = 0; k < l->sent; k++)
            l->packed[k] = p[l->rows[k]];
        MPI_Isend(l->packed, l->sent, MPI_DOUBLE, l->rank, 0, c->grid, &request[c->links + i]);
    }
    MPI_Waitall(2 * c->links, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < c->rows; i++) {
        double sum = 0;
        for (int k = c->start[i]; k < c->start[i + 1]; k++)
            sum += c->value[k] * p[c->column[k]];
        into[i] = sum;
    }
}

static double dot(const struct cg *c, const double *a, const double *b)
{
    double mine = 0, sum;

    for (int i = 0; i < c->rows; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, c->grid);
    return sum;
}

static void make_right_hand_side(struct cg *c)
{
    for (int i = 0; i < c->rows; i++) {
        int x = c->first[0] + i % c->size[0], y = c->first[1] + i / c->size[0] % c->size[1],
            z = c->first[2] + i / c->size[0] / c->size[1];
        int global = ((c->steps * SIDE + z) * SIDE + y) * SIDE + x;
        c->exact[i] = programs_fraction((uint64_t)global);
    }
    multiply(c, c->exact, c->r);
}

static void solve(struct cg *c)
{
    memset(c->x, 0, (size_t)c->rows * sizeof(double));
    memcpy(c->p, c->r, (size_t)c->rows * sizeof(double));
    double rr = dot(c, c->r, c->r);
    for (int k = 0; k < ITERATIONS; k++) {
        multiply(c, c->p, c->q);
        double alpha = rr / dot(c, c->p, c->q);
        for (int i = 0; i < c->rows; i++) {
            c->x[i] += alpha * c->p[i];
            c->r[i] -= alpha * c->q[i];
        }
        double old = rr;
        rr = dot(c, c->r, c->r);
        for (int i = 0; i < c->rows; i++)
            c->p[i] = c->r[i] + rr / old * c->p[i];
    }
}

static void run(void *problem, int steps)
{
    struct cg *c = problem;

    for (int k = 0; k < steps; k++, c->steps++) {
        make_right_hand_side(c);
        solve(c);
    }
}

static const char *wrong(void *problem, double *result)
{
    struct cg *c = problem;
    double far = 0, farthest;

    for (int i = 0; i < c->rows; i++)
        far = fmax(far, fabs(c->x[i] - c->exact[i]));
    MPI_Allreduce(&far, &farthest, 1, MPI_DOUBLE, MPI_MAX, c->grid);
    *result = dot(c, c->x, c->x);
    return farthest > 1e-8 ? "the solution is not the one that the right-hand side was made of"
                           : NULL;
}

static void release(void *problem)
{
    struct cg *c = problem;

    for (int i = 0; i < c->links; i++) {
        free(c->link[i].rows);
        free(c->link[i].packed);
    }
    void *memory[] = {c->start, c->column, c->value, c->x, c->r, c->q, c->p, c->exact};
    for (int i = 0; i < 8; i++)
        free(memory[i]);
    MPI_Comm_free(&c->grid);
    free(c);
}

const struct program program_cg = {.name = "cg",
                                   .steps = 100,
                                   .bytes = 3e6,
                                   .suits = suits,
                                   .make = make,
                                   .run = run,
                                   .wrong = wrong,
                                   .release = release};
