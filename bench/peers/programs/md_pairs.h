/* SPDX-License-Identifier: MIT */
/* Which atoms are near each other, and the forces between them: a Lennard-Jones potential, cut off
 * and moved to 0 there. Own atoms come first, images of those of neighbours behind them. */
#ifndef PEERS_MD_PAIRS_H
#define PEERS_MD_PAIRS_H

/* Pairs are listed up to this distance; it is as far beyond that of the cut-off as two atoms may
 * come closer before they are listed again. */
#define MD_REACH 2.8

struct md_pairs {
    double low[3], high[3];       /* of the part of the box; images are MD_REACH around it */
    int room;                     /* for pairs */
    int *start, *pair;            /* of each own atom; the atoms that it is near */
    int *head, *behind, *cell_of; /* lists of the atoms in a cell, while pairs are looked for */
};

/* Room for so many atoms and so many pairs; low and high are still to be set. */
void md_pairs_make(struct md_pairs *p, int atoms, int pairs);
void md_pairs_release(struct md_pairs *p);

/* Lists the pairs among `own` atoms, each once, and between these and the images behind them. */
void md_pairs_find(struct md_pairs *p, double (*x)[3], int own, int all);

/* The forces f on own atoms. Returns their potential; of a pair with an image it is one half, for
 * the neighbour counts the other. */
double md_pairs_forces(const struct md_pairs *p, double (*x)[3], int own, double (*f)[3]);

#endif
