/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "md_pairs.h"
#include "programs.h"

static const double CUTOFF = 2.5;

void md_pairs_make(struct md_pairs *p, int atoms, int pairs)
{
    int **list[4] = {&p->start, &p->head, &p->behind, &p->cell_of};

    for (int i = 0; i < 4; i++)
        *list[i] = programs_memory((size_t)(atoms + 1) * sizeof(int));
    p->pair = programs_memory((size_t)pairs * sizeof(int));
    p->room = pairs;
}

void md_pairs_release(struct md_pairs *p)
{
    int *memory[5] = {p->start, p->pair, p->head, p->behind, p->cell_of};

    for (int i = 0; i < 5; i++)
        free(memory[i]);
}

/* Sorts all atoms into cells at least as wide as the reach, around which there are empty ones;
 * tells the number of cells in each direction. */
static void fill_cells(struct md_pairs *p, double (*x)[3], int all, int cells[3])
{
    double least[3], wide[3];

    for (int d = 0; d < 3; d++) {
        least[d] = p->low[d] - MD_REACH;
        double most = p->high[d] + MD_REACH;
        int full = (int)((most - least[d]) / MD_REACH);
        wide[d] = (most - least[d]) / full;
        cells[d] = full + 2;
    }
    for (int i = 0; i < cells[0] * cells[1] * cells[2]; i++)
        p->head[i] = -1;
    for (int i = all - 1; i >= 0; i--) {
        int cell = 0;
        for (int d = 0; d < 3; d++) {
            int at = 1 + (int)((x[i][d] - least[d]) / wide[d]);
            cell = cell * cells[d] + (at < 1 ? 1 : at > cells[d] - 2 ? cells[d] - 2 : at);
        }
        p->cell_of[i] = cell;
        p->behind[i] = p->head[cell];
        p->head[cell] = i;
    }
}

static double distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

    return x * x + y * y + z * z;
}

void md_pairs_find(struct md_pairs *p, double (*x)[3], int own, int all)
{
    int cells[3], n = 0;

    fill_cells(p, x, all, cells);
    for (int i = 0; i < own; i++) {
        p->start[i] = n;
        for (int way = 0; way < 27; way++) {
            int to = p->cell_of[i] + ((way / 9 - 1) * cells[1] + way / 3 % 3 - 1) * cells[2] +
                     way % 3 - 1;
            for (int j = p->head[to]; j >= 0; j = p->behind[j])
                if (j > i && distance(x[i], x[j]) < MD_REACH * MD_REACH)
                    p->pair[n++] = j;
        }
        programs_must(n < p->room - all, "md: too many pairs");
    }
    p->start[own] = n;
}

double md_pairs_forces(const struct md_pairs *p, double (*x)[3], int own, double (*f)[3])
{
    const double r6 = 1 / (CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF);
    const double at_cutoff = 4 * r6 * (r6 - 1);

    double potential = 0;

    memset(f, 0, (size_t)own * sizeof *f);
    for (int i = 0; i < own; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            int j = p->pair[k];
            double square = distance(x[i], x[j]);
            if (square >= CUTOFF * CUTOFF)
                continue;
            double over = 1 / square, six = over * over * over;
            double force = 48 * six * (six - 0.5) * over;
            potential += (j < own ? 1 : 0.5) * (4 * six * (six - 1) - at_cutoff);
            for (int d = 0; d < 3; d++) {
                double part = force * (x[i][d] - x[j][d]);
                f[i][d] += part;
                if (j < own)
                    f[j][d] -= part;
            }
        }
    return potential;
}
