/* SPDX-License-Identifier: MIT */
#include "comm/order.h"

/* Of two members each comes before the other one or behind it: no two are alike. */
static bool before(const struct mpi_wishes *w, int a, int b)
{
    const struct mpi_wish *x = mpi_wish_of(w, a), *y = mpi_wish_of(w, b);
    if (x->color != y->color)
        return x->color < y->color;
    return x->key != y->key ? x->key < y->key : a < b;
}

/* As members mostly are. */
static bool in_order(const struct mpi_wishes *w, const int *members, int n)
{
    int i = 1;
    while (i < n && before(w, members[i - 1], members[i]))
        i++;
    return i >= n;
}

/* Shell's sort, in place. */
static void sort(const struct mpi_wishes *w, int *members, int n)
{
    int gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < n; i++) {
            int member = members[i], at = i;
            for (; at >= gap && before(w, member, members[at - gap]); at -= gap)
                members[at] = members[at - gap];
            members[at] = member;
        }
}

int mpi_order(const struct mpi_wishes *w, int first, int n, int color, int *members)
{
    int many = 0;
    for (int i = first; i < first + n; i++) {
        int wished = mpi_wish_of(w, i)->color;
        if (color == MPI_UNDEFINED ? wished != MPI_UNDEFINED : wished == color)
            members[many++] = i;
    }
    if (!in_order(w, members, many))
        sort(w, members, many);
    return many;
}

int mpi_order_find(const struct mpi_wishes *w, const int *members, int n, int color, bool behind)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2, wished = mpi_wish_of(w, members[middle])->color;
        if (wished < color || (behind && wished == color))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
