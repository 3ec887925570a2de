/* SPDX-License-Identifier: MIT */
/* Symmetric successive overrelaxation, as in LU of the NAS benchmarks: Poisson's equation in a cube
 * that is cut into columns along z. In a step two wavefronts pass all ranks, one plane z after the
 * other, forward from the first rank and backward from the last: for each plane a rank receives a
 * line from two neighbours, blocking, and sends one to the two others. The residual before it takes
 * an exchange of faces. Every tenth step the norm of the residual is reduced over all ranks.
 *
 * Every point is computed from the same numbers in the same order on any number of ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

enum { SIDE = 48, NORM_EVERY = 10 };

static const double OMEGA = 1.85; /* of overrelaxation */
static const double RATE = 0.965; /* a step leaves at most this of the residual, in the mean */

struct ssor {
    MPI_Comm grid;
    int first[2], size[2];           /* x, y of this rank */
    int low[2], high[2];             /* neighbours */
    int row, plane;                  /* numbers from a point to the next in y, in z; with a rim */
    double *u, *b, *r, *v;           /* solution, right-hand side, residual, change */
    double *face[2][2], *come[2][2]; /* [direction][low, high]: what is sent, what comes */
    double line[SIDE];               /* of x or y, packed */
    double norm[2];                  /* of the first residual and the last that was taken */
    int steps;
};

static bool suits(int ranks)
{
    return ranks <= SIDE;
}

static size_t at(const struct ssor *s, int x, int y, int z)
{
    return (size_t)((z + 1) * s->plane + (y + 1) * s->row + x + 1);
}

static double solution(int x, int y, int z)
{
    return programs_fraction((uint64_t)((z * SIDE + y) * SIDE + x)) - 0.5 +
           sin(M_PI * (x + 1) / (SIDE + 1)) * sin(M_PI * (y + 1) / (SIDE + 1)) *
               sin(M_PI * (z + 1) / (SIDE + 1));
}

static double inside(int x, int y, int z)
{
    bool is = x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < SIDE;

    return is ? solution(x, y, z) : 0;
}

static double right_hand_side(int x, int y, int z)
{
    return 6 * inside(x, y, z) - inside(x - 1, y, z) - inside(x + 1, y, z) - inside(x, y - 1, z) -
           inside(x, y + 1, z) - inside(x, y, z - 1) - inside(x, y, z + 1);
}

static void *make(MPI_Comm comm)
{
    struct ssor *s = programs_memory(sizeof *s);

    s->grid = programs_square(comm, SIDE, s->first, s->size, s->low, s->high);
    s->row = s->size[0] + 2;
    s->plane = s->row * (s->size[1] + 2);
    double **field[4] = {&s->u, &s->b, &s->r, &s->v};
    for (int i = 0; i < 4; i++)
        *field[i] = programs_memory((size_t)s->plane * (SIDE + 2) * sizeof(double));
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 2; i++) {
            size_t bytes = (size_t)s->size[1 - d] * SIDE * sizeof(double);
            s->face[d][i] = programs_memory(bytes);
            s->come[d][i] = programs_memory(bytes);
        }
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < s->size[1]; y++)
            for (int x = 0; x < s->size[0]; x++)
                s->b[at(s, x, y, z)] = right_hand_side(s->first[0] + x, s->first[1] + y, z);
    return s;
}

/* Copies the face of u where x (d: 0) or y (d: 1) is `place` to `face`, or back. */
static void copy_face(struct ssor *s, int d, int place, double *face, bool back)
{
    for (int z = 0; z < SIDE; z++)
        for (int i = 0; i < s->size[1 - d]; i++, face++) {
            double *u = &s->u[d ? at(s, i, place, z) : at(s, place, i, z)];
            *(back ? u : face) = *(back ? face : u);
        }
}

static void exchange_faces(struct ssor *s)
{
    MPI_Request request[8];

    for (int d = 0, n = 0; d < 2; d++) {
        int count = s->size[1 - d] * SIDE;
        MPI_Irecv(s->come[d][0], count, MPI_DOUBLE, s->low[d], d, s->grid, &request[n++]);
        MPI_Irecv(s->come[d][1], count, MPI_DOUBLE, s->high[d], d, s->grid, &request[n++]);
        copy_face(s, d, 0, s->face[d][0], false);
        MPI_Isend(s->face[d][0], count, MPI_DOUBLE, s->low[d], d, s->grid, &request[n++]);
        copy_face(s, d, s->size[d] - 1, s->face[d][1], false);
        MPI_Isend(s->face[d][1], count, MPI_DOUBLE, s->high[d], d, s->grid, &request[n++]);
    }
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
    for (int d = 0; d < 2; d++) {
        if (s->low[d] != MPI_PROC_NULL)
            copy_face(s, d, -1, s->come[d][0], true);
        if (s->high[d] != MPI_PROC_NULL)
            copy_face(s, d, s->size[d], s->come[d][1], true);
    }
}

/* r = b - A u. Returns the norm of this rank's part, squared. */
static double residual(struct ssor *s)
{
    double sum = 0;

    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < s->size[1]; y++) {
            size_t k = at(s, 0, y, z);
            const double *u = s->u + k;
            for (int x = 0; x < s->size[0]; x++) {
                double r = s->b[k + x] - 6 * u[x] + u[x - 1] + u[x + 1] + u[x - s->row] +
                           u[x + s->row] + u[x - s->plane] + u[x + s->plane];
                s->r[k + x] = r;
                sum += r * r;
            }
        }
    return sum;
}

static double norm(const struct ssor *s, double mine)
{
    double sum;

    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, s->grid);
    return sqrt(sum);
}

/* (D / omega + L) v = (2 - omega) r in a plane. */
static void lower(struct ssor *s, int z)
{
    for (int y = 0; y < s->size[1]; y++) {
        double *v = s->v + at(s, 0, y, z);
        const double *r = s->r + at(s, 0, y, z);
        for (int x = 0; x < s->size[0]; x++)
            v[x] = OMEGA / 6 * ((2 - OMEGA) * r[x] + v[x - s->row] + v[x - s->plane] + v[x - 1]);
    }
}

/* (D / omega + U) v = D / omega v in a plane, and u is changed by it. */
static void upper(struct ssor *s, int z)
{
    for (int y = s->size[1] - 1; y >= 0; y--) {
        double *v = s->v + at(s, 0, y, z), *u = s->u + at(s, 0, y, z);
        for (int x = s->size[0] - 1; x >= 0; x--) {
            v[x] += OMEGA / 6 * (v[x + s->row] + v[x + s->plane] + v[x + 1]);
            u[x] += v[x];
        }
    }
}

/* One wavefront: low to high with `lower`, or back with `upper`. */
static void sweep(struct ssor *s, bool forward)
{
    const int *from = forward ? s->low : s->high, *to = forward ? s->high : s->low;
    int nx = s->size[0], ny = s->size[1];
    int rim[2] = {forward ? -1 : nx, forward ? -1 : ny};
    int edge[2] = {forward ? nx - 1 : 0, forward ? ny - 1 : 0};

    for (int i = 0; i < SIDE; i++) {
        int z = forward ? i : SIDE - 1 - i;
        if (from[0] != MPI_PROC_NULL) {
            MPI_Recv(s->line, ny, MPI_DOUBLE, from[0], 2, s->grid, MPI_STATUS_IGNORE);
            for (int y = 0; y < ny; y++)
                s->v[at(s, rim[0], y, z)] = s->line[y];
        }
        MPI_Recv(s->v + at(s, 0, rim[1], z), nx, MPI_DOUBLE, from[1], 2, s->grid,
                 MPI_STATUS_IGNORE);
        (forward ? lower : upper)(s, z);
        for (int y = 0; y < ny; y++)
            s->line[y] = s->v[at(s, edge[0], y, z)];
        MPI_Send(s->line, ny, MPI_DOUBLE, to[0], 2, s->grid);
        MPI_Send(s->v + at(s, 0, edge[1], z), nx, MPI_DOUBLE, to[1], 2, s->grid);
    }
}

static void run(void *problem, int steps)
{
    struct ssor *s = problem;

    for (int k = 0; k < steps; k++, s->steps++) {
        exchange_faces(s);
        double mine = residual(s);
        if (s->steps % NORM_EVERY == 0)
            s->norm[s->steps > 0] = norm(s, mine);
        sweep(s, true);
        sweep(s, false);
    }
}

static const char *wrong(void *problem, double *result)
{
    struct ssor *s = problem;
    double mine = 0;

    exchange_faces(s);
    double last = norm(s, residual(s));
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < s->size[1]; y++)
            for (int x = 0; x < s->size[0]; x++)
                mine += s->u[at(s, x, y, z)] * s->u[at(s, x, y, z)];
    *result = norm(s, mine);
    return last <= pow(RATE, s->steps) * s->norm[0] ? NULL : "the residual is too large";
}

static void release(void *problem)
{
    struct ssor *s = problem;
    void *memory[] = {s->u, s->b, s->r, s->v};

    for (int i = 0; i < 4; i++)
        free(memory[i]);
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 2; i++) {
            free(s->face[d][i]);
            free(s->come[d][i]);
        }
    MPI_Comm_free(&s->grid);
    free(s);
}

const struct program program_ssor = {.name = "ssor",
                                     .steps = 400,
                                     .bytes = 5e6,
                                     .suits = suits,
                                     .make = make,
                                     .run = run,
                                     .wrong = wrong,
                                     .release = release};
