/* SPDX-License-Identifier: MIT */
/* A stencil: Jacobi's method for Laplace's equation in a square, cut in both directions. A step
 * exchanges the rim with four neighbours, columns as a vector type, and reduces the sum of squares
 * of all changes over all ranks.
 *
 * It begins with a mode of the discrete equation: each step multiplies it by the same number, so
 * that every point is known after any number of steps. */
#include <math.h>
#include <stdlib.h>

#include "programs.h"

enum { SIDE = 192 }; /* points inside */

struct stencil {
    MPI_Comm grid;
    int first[2], size[2]; /* columns, rows of this rank: columns are cut first */
    int wide;              /* a row with its rim */
    int low[2], high[2];   /* neighbours */
    double *now, *next;
    double change; /* the last sum of squares */
    int steps;
    MPI_Datatype column;
};

static bool suits(int ranks)
{
    return ranks <= SIDE;
}

static double mode(int row, int column)
{
    return sin(M_PI * row / (SIDE + 1)) * sin(M_PI * column / (SIDE + 1));
}

static double factor(void)
{
    return cos(M_PI / (SIDE + 1));
}

static double *at(const struct stencil *s, double *field, int row, int column)
{
    return field + (size_t)row * (size_t)s->wide + column;
}

static void *make(MPI_Comm comm)
{
    struct stencil *s = programs_memory(sizeof *s);

    s->grid = programs_square(comm, SIDE, s->first, s->size, s->low, s->high);
    s->wide = s->size[0] + 2;
    size_t points = (size_t)(s->size[1] + 2) * (size_t)s->wide;
    s->now = programs_memory(points * sizeof(double));
    s->next = programs_memory(points * sizeof(double));
    for (int i = 1; i <= s->size[1]; i++)
        for (int j = 1; j <= s->size[0]; j++)
            *at(s, s->now, i, j) = mode(s->first[1] + i, s->first[0] + j);
    MPI_Type_vector(s->size[1], 1, s->wide, MPI_DOUBLE, &s->column);
    MPI_Type_commit(&s->column);
    return s;
}

static void exchange(struct stencil *s)
{
    MPI_Request request[8];
    int rows = s->size[1], columns = s->size[0];

    MPI_Irecv(at(s, s->now, 0, 1), columns, MPI_DOUBLE, s->low[1], 0, s->grid, &request[0]);
    MPI_Irecv(at(s, s->now, rows + 1, 1), columns, MPI_DOUBLE, s->high[1], 1, s->grid, &request[1]);
    MPI_Irecv(at(s, s->now, 1, 0), 1, s->column, s->low[0], 2, s->grid, &request[2]);
    MPI_Irecv(at(s, s->now, 1, columns + 1), 1, s->column, s->high[0], 3, s->grid, &request[3]);
    MPI_Isend(at(s, s->now, rows, 1), columns, MPI_DOUBLE, s->high[1], 0, s->grid, &request[4]);
    MPI_Isend(at(s, s->now, 1, 1), columns, MPI_DOUBLE, s->low[1], 1, s->grid, &request[5]);
    MPI_Isend(at(s, s->now, 1, columns), 1, s->column, s->high[0], 2, s->grid, &request[6]);
    MPI_Isend(at(s, s->now, 1, 1), 1, s->column, s->low[0], 3, s->grid, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
}

/* Returns the sum of squares of the changes. */
static double relax(struct stencil *s)
{
    double sum = 0;

    for (int i = 1; i <= s->size[1]; i++) {
        const double *above = at(s, s->now, i - 1, 0), *row = at(s, s->now, i, 0),
                     *below = at(s, s->now, i + 1, 0);
        double *into = at(s, s->next, i, 0);
        for (int j = 1; j <= s->size[0]; j++) {
            into[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
            sum += (into[j] - row[j]) * (into[j] - row[j]);
        }
    }
    return sum;
}

static void run(void *problem, int steps)
{
    struct stencil *s = problem;

    for (int k = 0; k < steps; k++, s->steps++) {
        exchange(s);
        double sum = relax(s), *old = s->now;
        MPI_Allreduce(&sum, &s->change, 1, MPI_DOUBLE, MPI_SUM, s->grid);
        s->now = s->next;
        s->next = old;
    }
}

static const char *wrong(void *problem, double *result)
{
    struct stencil *s = problem;
    double scale = pow(factor(), s->steps), far = 0, farthest;
    double last = pow(factor(), s->steps - 1) * (1 - factor()) * (SIDE + 1) / 2;

    for (int i = 1; i <= s->size[1]; i++)
        for (int j = 1; j <= s->size[0]; j++)
            far = fmax(far,
                       fabs(*at(s, s->now, i, j) - scale * mode(s->first[1] + i, s->first[0] + j)));
    MPI_Allreduce(&far, &farthest, 1, MPI_DOUBLE, MPI_MAX, s->grid);
    *result = s->change;
    return farthest > 1e-12                             ? "a point is not what the mode has become"
           : fabs(s->change / (last * last) - 1) > 1e-6 ? "the sum of the changes is not the mode's"
                                                        : NULL;
}

static void release(void *problem)
{
    struct stencil *s = problem;

    MPI_Type_free(&s->column);
    MPI_Comm_free(&s->grid);
    free(s->now);
    free(s->next);
    free(s);
}

const struct program program_stencil = {.name = "stencil",
                                        .steps = 8000,
                                        .bytes = 1e6,
                                        .suits = suits,
                                        .make = make,
                                        .run = run,
                                        .wrong = wrong,
                                        .release = release};
