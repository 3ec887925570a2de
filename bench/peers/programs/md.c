/* SPDX-License-Identifier: MIT */
/* Molecular dynamics: a Lennard-Jones liquid in a periodic box that is cut in three directions. A
 * step moves the atoms, tells the neighbours in one direction after the other where the atoms near
 * them are, and computes the forces by lists of pairs. Every eighth step atoms migrate, the lists
 * of those near the neighbours and of the pairs are made anew, and the energy is reduced over all
 * ranks.
 *
 * Units are those of the potential. The energy is conserved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "md_pairs.h"
#include "programs.h"

enum {
    CELLS = 6, /* of the crystal that it begins as, in each direction */
    ATOMS = 4 * CELLS * CELLS * CELLS,
    ROOM = 4 * ATOMS, /* one rank has all, and images of all that are near a side */
    PAIRS = 80 * ATOMS,
    AGAIN = 8, /* steps between new lists */
};

static const double DENSITY = 0.3, STEP = 0.003;

struct atom {
    double x[3], v[3];
};

/* Atoms near a side, which one neighbour is told of; what the opposite one tells stands from
 * `first` on. */
struct side {
    int direction;
    bool high;
    int to, from; /* ranks */
    int count, came, first;
    double shift; /* of the box, if it lies between */
    int *atoms;
};

struct md {
    MPI_Comm grid;
    double box;
    int own, all; /* atoms of this rank, and with those of neighbours behind them */
    double (*x)[3], (*v)[3], (*f)[3];
    struct side side[6]; /* low and high in each direction */
    double (*out)[3];    /* positions on their way */
    struct atom *leave, *enter;
    struct md_pairs pairs;
    double potential; /* of this rank */
    double energy[2]; /* of all, at first and last */
    int steps;
};

/* Each part must be wider than the reach, so that only neighbours are near. */
static bool suits(int ranks)
{
    int parts[3] = {0};

    MPI_Dims_create(ranks, 3, parts);
    return CELLS * cbrt(4 / DENSITY) / parts[0] > MD_REACH;
}

/* Sends n doubles to the one side and returns how many came from the other. */
static int exchange(const struct md *s, const struct side *to, const void *out, int n, void *in,
                    int room)
{
    MPI_Status status;
    int rank, came;

    MPI_Comm_rank(s->grid, &rank);
    if (to->to == rank) {
        memcpy(in, out, (size_t)n * sizeof(double));
        return n;
    }
    MPI_Sendrecv(out, n, MPI_DOUBLE, to->to, 0, in, room, MPI_DOUBLE, to->from, 0, s->grid,
                 &status);
    MPI_Get_count(&status, MPI_DOUBLE, &came);
    return came;
}

/* Atoms that have left the part on this side go to the neighbour there. */
static void migrate(struct md *s, const struct side *to)
{
    int d = to->direction, gone = 0;

    for (int i = 0; i < s->own;)
        if (to->high ? s->x[i][d] >= s->pairs.high[d] : s->x[i][d] < s->pairs.low[d]) {
            struct atom *a = &s->leave[gone++];
            s->x[i][d] += to->shift;
            memcpy(a->x, s->x[i], sizeof a->x);
            memcpy(a->v, s->v[i], sizeof a->v);
            s->own--;
            memcpy(s->x[i], s->x[s->own], sizeof a->x);
            memcpy(s->v[i], s->v[s->own], sizeof a->v);
        } else {
            i++;
        }
    int came = exchange(s, to, s->leave, 6 * gone, s->enter, 6 * ATOMS) / 6;
    programs_must(s->own + came <= ROOM, "md: too many atoms in one place");
    for (int i = 0; i < came; i++, s->own++) {
        memcpy(s->x[s->own], s->enter[i].x, sizeof s->enter[i].x);
        memcpy(s->v[s->own], s->enter[i].v, sizeof s->enter[i].v);
    }
}

/* Tells the neighbour on this side where the atoms near it are; `room` for what comes. */
static void tell(struct md *s, struct side *to, int room)
{
    for (int i = 0; i < to->count; i++) {
        memcpy(s->out[i], s->x[to->atoms[i]], sizeof s->out[i]);
        s->out[i][to->direction] += to->shift;
    }
    to->came = exchange(s, to, s->out, 3 * to->count, s->x + to->first, 3 * room) / 3;
}

/* Which atoms are near the neighbours; also those of other neighbours, for what is near an edge or
 * a corner comes by way of two or three. */
static void find_near(struct md *s)
{
    s->all = s->own;
    for (int d = 0; d < 3; d++)
        for (int k = 0, n = s->all; k < 2; k++) {
            struct side *to = &s->side[2 * d + k];
            to->count = 0;
            for (int i = 0; i < n; i++)
                if (k ? s->x[i][d] >= s->pairs.high[d] - MD_REACH
                      : s->x[i][d] < s->pairs.low[d] + MD_REACH)
                    to->atoms[to->count++] = i;
            to->first = s->all;
            tell(s, to, ROOM - s->all);
            s->all += to->came;
        }
}

static double energy(const struct md *s)
{
    double mine[2] = {s->potential, 0}, all[2];

    for (int i = 0; i < s->own; i++)
        for (int d = 0; d < 3; d++)
            mine[1] += 0.5 * s->v[i][d] * s->v[i][d];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, s->grid);
    return all[0] + all[1];
}

static void make_lists(struct md *s)
{
    for (int k = 0; k < 6; k++)
        migrate(s, &s->side[k]);
    find_near(s);
    md_pairs_find(&s->pairs, s->x, s->own, s->all);
}

static void push(struct md *s)
{
    for (int i = 0; i < s->own; i++)
        for (int d = 0; d < 3; d++)
            s->v[i][d] += STEP / 2 * s->f[i][d];
}

static void run(void *problem, int steps)
{
    struct md *s = problem;

    for (int k = 0; k < steps; k++) {
        bool again = ++s->steps % AGAIN == 0;
        push(s);
        for (int i = 0; i < s->own; i++)
            for (int d = 0; d < 3; d++)
                s->x[i][d] += STEP * s->v[i][d];
        if (again)
            make_lists(s);
        for (int i = 0; i < 6 && !again; i++)
            tell(s, &s->side[i], s->side[i].came);
        s->potential = md_pairs_forces(&s->pairs, s->x, s->own, s->f);
        push(s);
        if (again)
            s->energy[1] = energy(s);
    }
}

/* A crystal whose atoms move at random, but not as a whole; each rank keeps what is in its part. */
static void make_atoms(struct md *s)
{
    static const double place[4][3] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
    double drift[3] = {0};

    for (int i = 0; i < 3 * ATOMS; i++)
        drift[i % 3] += (programs_fraction((uint64_t)i) - 0.5) / ATOMS;
    for (int i = 0; i < ATOMS; i++) {
        int cell = i / 4, at[3] = {cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS};
        bool mine = true;
        for (int d = 0; d < 3; d++) {
            double x = (at[d] + place[i % 4][d] + 0.05) * s->box / CELLS;
            s->x[s->own][d] = x;
            s->v[s->own][d] = 5 * (programs_fraction((uint64_t)(3 * i + d)) - 0.5 - drift[d]);
            mine = mine && x >= s->pairs.low[d] && x < s->pairs.high[d];
        }
        s->own += mine;
    }
}

static void *make(MPI_Comm comm)
{
    struct md *s = programs_memory(sizeof *s);
    int place[3], parts[3];

    s->grid = programs_grid(comm, 3, parts, place, true);
    s->box = CELLS * cbrt(4 / DENSITY);
    for (int k = 0; k < 6; k++) {
        struct side *to = &s->side[k];
        int d = to->direction = k / 2;
        to->high = k % 2;
        MPI_Cart_shift(s->grid, d, to->high ? 1 : -1, &to->from, &to->to);
        s->pairs.low[d] = s->box * place[d] / parts[d];
        s->pairs.high[d] = s->box * (place[d] + 1) / parts[d];
        to->shift = to->high ? (place[d] == parts[d] - 1) * -s->box : (place[d] == 0) * s->box;
        to->atoms = programs_memory(ROOM * sizeof(int));
    }
    double(**vector[4])[3] = {&s->x, &s->v, &s->f, &s->out};
    for (int i = 0; i < 4; i++)
        *vector[i] = programs_memory(ROOM * sizeof **vector[i]);
    md_pairs_make(&s->pairs, ROOM, PAIRS);
    s->leave = programs_memory(ATOMS * sizeof *s->leave);
    s->enter = programs_memory(ATOMS * sizeof *s->enter);
    make_atoms(s);
    make_lists(s);
    s->potential = md_pairs_forces(&s->pairs, s->x, s->own, s->f);
    s->energy[0] = s->energy[1] = energy(s);
    return s;
}

static const char *wrong(void *problem, double *result)
{
    struct md *s = problem;
    int atoms;

    MPI_Allreduce(&s->own, &atoms, 1, MPI_INT, MPI_SUM, s->grid);
    *result = energy(s);
    return atoms != ATOMS                                ? "atoms were lost"
           : fabs(*result - s->energy[0]) > 2e-3 * ATOMS ? "the energy is not conserved"
                                                         : NULL;
}

static void release(void *problem)
{
    struct md *s = problem;
    void *memory[] = {s->x, s->v, s->f, s->out, s->leave, s->enter};

    for (int i = 0; i < 6; i++) {
        free(s->side[i].atoms);
        free(memory[i]);
    }
    md_pairs_release(&s->pairs);
    MPI_Comm_free(&s->grid);
    free(s);
}

const struct program program_md = {.name = "md",
                                   .steps = 1000,
                                   .bytes = 2e6,
                                   .suits = suits,
                                   .make = make,
                                   .run = run,
                                   .wrong = wrong,
                                   .release = release};
