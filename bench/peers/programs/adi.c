/* SPDX-License-Identifier: MIT */
/* Alternating directions, as in SP of the NAS benchmarks: the equation of heat in a cube, implicit
 * in one direction after the other by a factored Crank-Nicolson step. Ranks hold slabs of planes
 * z. A step exchanges a plane with each neighbour for the right-hand side, solves along x and y,
 * and for the lines along z transposes between all ranks and back, by nonblocking messages.
 *
 * It begins with two modes of the discrete equation, each of which a step multiplies by a number
 * of its own, so that every point is known after any number of steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

enum { SIDE = 32, MODES = 2, PLANE = SIDE * SIDE, LINE = SIDE * sizeof(double) };

static const double RATIO = 0.05; /* time step / the square of the distance of points */
static const int wave[MODES][3] = {{1, 2, 1}, {3, 1, 4}};

struct share {
    int first, planes; /* of z; when transposed, of y */
};

struct adi {
    MPI_Comm comm;
    int rank, ranks, steps;
    struct share *share;         /* of each rank */
    int first, planes;           /* of this one */
    double *u;                   /* planes with one of each neighbour around them */
    double *r, *turned;          /* right-hand side, then change; the same as [y][z][x] */
    double *out, *in;            /* what is sent of it, and what has come */
    MPI_Request *request;        /* two for each rank */
    double down[SIDE], up[SIDE]; /* the factors of the lines' matrix */
};

static bool suits(int ranks)
{
    return ranks <= SIDE;
}

static double sine(int k, int i)
{
    return sin(M_PI * k * (i + 1) / (SIDE + 1));
}

/* What u is at a point after some steps. */
static double exact(int steps, int x, int y, int z)
{
    double sum = 0;

    for (int m = 0; m < MODES; m++) {
        double total = 0, product = 1;
        for (int d = 0; d < 3; d++) {
            double half = sin(M_PI * wave[m][d] / (2 * (SIDE + 1)));
            total += RATIO * 4 * half * half;
            product *= 1 + RATIO * 2 * half * half;
        }
        sum += pow(1 - total / product, steps) * sine(wave[m][0], x) * sine(wave[m][1], y) *
               sine(wave[m][2], z);
    }
    return sum;
}

/* Elimination for -a, 1 + 2 a, -a, which is the same for every line. */
static void factorize(struct adi *s)
{
    const double a = RATIO / 2;

    for (int i = 0; i < SIDE; i++) {
        s->down[i] = 1 / (1 + 2 * a - (i ? a * s->up[i - 1] : 0));
        s->up[i] = a * s->down[i];
    }
}

static void *make(MPI_Comm comm)
{
    struct adi *s = programs_memory(sizeof *s);

    s->comm = comm;
    MPI_Comm_rank(comm, &s->rank);
    MPI_Comm_size(comm, &s->ranks);
    s->share = programs_memory((size_t)s->ranks * sizeof *s->share);
    for (int i = 0; i < s->ranks; i++) {
        s->share[i].first = programs_cut(SIDE, s->ranks, i);
        s->share[i].planes = programs_cut(SIDE, s->ranks, i + 1) - s->share[i].first;
    }
    s->first = s->share[s->rank].first;
    s->planes = s->share[s->rank].planes;
    size_t plane = PLANE * sizeof(double), slab = (size_t)s->planes * plane;
    s->u = programs_memory(slab + 2 * plane);
    s->r = programs_memory(slab);
    s->turned = programs_memory(slab);
    s->out = programs_memory(slab);
    s->in = programs_memory(slab);
    s->request = programs_memory(2 * (size_t)s->ranks * sizeof *s->request);
    for (int z = 0; z < s->planes; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                s->u[((z + 1) * SIDE + y) * SIDE + x] = exact(0, x, y, s->first + z);
    factorize(s);
    return s;
}

static void exchange_planes(struct adi *s)
{
    int below = s->rank ? s->rank - 1 : MPI_PROC_NULL;
    int above = s->rank < s->ranks - 1 ? s->rank + 1 : MPI_PROC_NULL;
    double *u = s->u;
    MPI_Request request[4];

    MPI_Irecv(u, PLANE, MPI_DOUBLE, below, 0, s->comm, &request[0]);
    MPI_Irecv(u + (s->planes + 1) * PLANE, PLANE, MPI_DOUBLE, above, 1, s->comm, &request[1]);
    MPI_Isend(u + s->planes * PLANE, PLANE, MPI_DOUBLE, above, 0, s->comm, &request[2]);
    MPI_Isend(u + PLANE, PLANE, MPI_DOUBLE, below, 1, s->comm, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

/* r = RATIO times the second differences of u in all three directions. */
static void right_hand_side(struct adi *s)
{
    for (int z = 1; z <= s->planes; z++)
        for (int y = 0; y < SIDE; y++) {
            static const double none[SIDE];
            const double *u = s->u + (z * SIDE + y) * SIDE, *low = y ? u - SIDE : none,
                         *high = y < SIDE - 1 ? u + SIDE : none;
            double *r = s->r + ((z - 1) * SIDE + y) * SIDE;
            for (int x = 0; x < SIDE; x++)
                r[x] = low[x] + high[x] + u[x - PLANE] + u[x + PLANE] - 6 * u[x];
            for (int x = 0; x < SIDE; x++)
                r[x] = RATIO * (r[x] + (x ? u[x - 1] : 0) + (x < SIDE - 1 ? u[x + 1] : 0));
        }
}

static void solve_x(const struct adi *s, double *r)
{
    for (int line = 0; line < s->planes * SIDE; line++, r += SIDE) {
        r[0] *= s->down[0];
        for (int x = 1; x < SIDE; x++)
            r[x] = (r[x] + RATIO / 2 * r[x - 1]) * s->down[x];
        for (int x = SIDE - 2; x >= 0; x--)
            r[x] += s->up[x] * r[x + 1];
    }
}

/* Lines across the rows of each plane of r, whose rows lie along x: 32 lines at a time. */
static void solve_across(const struct adi *s, double *r)
{
    for (int plane = 0; plane < s->planes; plane++, r += PLANE) {
        for (int x = 0; x < SIDE; x++)
            r[x] *= s->down[0];
        for (int i = 1; i < SIDE; i++)
            for (int x = 0; x < SIDE; x++)
                r[i * SIDE + x] =
                    (r[i * SIDE + x] + RATIO / 2 * r[(i - 1) * SIDE + x]) * s->down[i];
        for (int i = SIDE - 2; i >= 0; i--)
            for (int x = 0; x < SIDE; x++)
                r[i * SIDE + x] += s->up[i] * r[(i + 1) * SIDE + x];
    }
}

/* Turns [plane][row][x], of which a rank holds some planes, into [row][plane][x], of which it holds
 * as many rows, or back, which is the same. Each rank sends the others their rows of its planes. */
static void turn(struct adi *s, const double *from, double *into)
{
    double *block = s->out;
    int mine = s->planes, n = 0;

    for (int i = 0; i < s->ranks; i++)
        if (i != s->rank)
            MPI_Irecv(s->in + mine * s->share[i].first * SIDE, mine * s->share[i].planes * SIDE,
                      MPI_DOUBLE, i, 2, s->comm, &s->request[n++]);
    for (int i = 0; i < s->ranks; i++) {
        const struct share *other = &s->share[i];
        double *begin = block;
        for (int row = 0; row < other->planes; row++)
            for (int plane = 0; plane < mine; plane++, block += SIDE)
                memcpy(block, from + (plane * SIDE + other->first + row) * SIDE, LINE);
        int size = (int)(block - begin);
        if (i == s->rank)
            memcpy(s->in + mine * other->first * SIDE, begin, (size_t)size * sizeof(double));
        else
            MPI_Isend(begin, size, MPI_DOUBLE, i, 2, s->comm, &s->request[n++]);
    }
    MPI_Waitall(n, s->request, MPI_STATUSES_IGNORE);
    const double *come = s->in;
    for (int i = 0; i < s->ranks; i++)
        for (int row = 0; row < mine; row++) {
            size_t size = (size_t)s->share[i].planes * SIDE;
            memcpy(into + (row * SIDE + s->share[i].first) * SIDE, come, size * sizeof(double));
            come += size;
        }
}

static void run(void *problem, int steps)
{
    struct adi *s = problem;

    for (int k = 0; k < steps; k++, s->steps++) {
        exchange_planes(s);
        right_hand_side(s);
        solve_x(s, s->r);
        solve_across(s, s->r);
        turn(s, s->r, s->turned);
        solve_across(s, s->turned);
        turn(s, s->turned, s->r);
        for (int i = 0; i < s->planes * PLANE; i++)
            s->u[PLANE + i] += s->r[i];
    }
}

static const char *wrong(void *problem, double *result)
{
    struct adi *s = problem;
    double far = 0, farthest, sum = 0;

    for (int z = 0; z < s->planes; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double u = s->u[((z + 1) * SIDE + y) * SIDE + x];
                far = fmax(far, fabs(u - exact(s->steps, x, y, s->first + z)));
                sum += u * u;
            }
    MPI_Allreduce(&far, &farthest, 1, MPI_DOUBLE, MPI_MAX, s->comm);
    MPI_Allreduce(&sum, result, 1, MPI_DOUBLE, MPI_SUM, s->comm);
    return farthest > 1e-12 ? "a point is not what the modes have become" : NULL;
}

static void release(void *problem)
{
    struct adi *s = problem;
    void *memory[] = {s->share, s->u, s->r, s->turned, s->out, s->in, s->request, s};

    for (int i = 0; i < 8; i++)
        free(memory[i]);
}

const struct program program_adi = {.name = "adi",
                                    .steps = 800,
                                    .bytes = 1.5e6,
                                    .suits = suits,
                                    .make = make,
                                    .run = run,
                                    .wrong = wrong,
                                    .release = release};
