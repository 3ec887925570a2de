/* SPDX-License-Identifier: MIT */
/* Groups: every operation against a model on plain arrays, with random subsets. */
#include "check.h"

#define MOST 64

static int any(unsigned int *seed, int n)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 16) % n;
}

/* A random choice of distinct ranks in random order; returns how many. */
static int choose(unsigned int *seed, int n, int *ranks)
{
    int all[MOST], k = any(seed, n + 1);
    for (int i = 0; i < n; i++)
        all[i] = i;
    for (int i = 0; i < k; i++) {
        int j = i + any(seed, n - i), t = all[i];
        all[i] = all[j];
        all[j] = t;
        ranks[i] = all[i];
    }
    return k;
}

static int find(const int *list, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (list[i] == x)
            return i;
    return MPI_UNDEFINED;
}

/* The group has exactly these world ranks in this order; frees it. */
static void expect(MPI_Group world, MPI_Group g, const int *want, int n)
{
    int size, rank, all[MOST], got[MOST];
    MPI_Group_size(g, &size);
    CHECK_EQ(size, n);
    MPI_Group_rank(g, &rank);
    CHECK_EQ(rank, find(want, n, world_rank()));
    for (int i = 0; i < n; i++)
        all[i] = i;
    MPI_Group_translate_ranks(g, n, all, world, got);
    for (int i = 0; i < n; i++)
        CHECK_EQ(got[i], want[i]);
    if (n == 0)
        CHECK(g == MPI_GROUP_EMPTY);
    MPI_Group_free(&g);
    CHECK(g == MPI_GROUP_NULL);
}

static void set_operations(unsigned int *seed, MPI_Group world, int n)
{
    int a[MOST], b[MOST], want[MOST] = {0}, na = choose(seed, n, a), nb = choose(seed, n, b), k;
    MPI_Group ga, gb, g;
    CHECK_EQ(MPI_Group_incl(world, na, a, &ga), MPI_SUCCESS);
    CHECK_EQ(MPI_Group_incl(world, nb, b, &gb), MPI_SUCCESS);
    for (k = 0; k < na; k++)
        want[k] = a[k];
    for (int i = 0; i < nb; i++)
        if (find(a, na, b[i]) < 0)
            want[k++] = b[i];
    MPI_Group_union(ga, gb, &g);
    expect(world, g, want, k);
    k = 0;
    for (int i = 0; i < na; i++)
        if (find(b, nb, a[i]) >= 0)
            want[k++] = a[i];
    MPI_Group_intersection(ga, gb, &g);
    expect(world, g, want, k);
    k = 0;
    for (int i = 0; i < na; i++)
        if (find(b, nb, a[i]) < 0)
            want[k++] = a[i];
    MPI_Group_difference(ga, gb, &g);
    expect(world, g, want, k);
    k = 0;
    for (int i = 0; i < n; i++)
        if (find(a, na, i) < 0)
            want[k++] = i;
    MPI_Group_excl(world, na, a, &g);
    expect(world, g, want, k);
    expect(world, ga, a, na);
    expect(world, gb, b, nb);
}

static void ranges(unsigned int *seed, MPI_Group world, int n)
{
    int first = any(seed, n), last = any(seed, n), step = 1 + any(seed, 3), want[MOST] = {0},
        rest[MOST], k = 0, m = 0;
    if (first > last)
        step = -step;
    int range[1][3] = {{first, last, step}};
    for (int i = first; step > 0 ? i <= last : i >= last; i += step)
        want[k++] = i;
    for (int i = 0; i < n; i++)
        if (find(want, k, i) < 0)
            rest[m++] = i;
    MPI_Group g;
    MPI_Group_range_incl(world, 1, range, &g);
    expect(world, g, want, k);
    MPI_Group_range_excl(world, 1, range, &g);
    expect(world, g, rest, m);
}

static void compare(MPI_Group world, int n)
{
    int ranks[MOST], result;
    MPI_Group turned, part;
    for (int i = 0; i < n; i++)
        ranks[i] = n - 1 - i;
    MPI_Group_incl(world, n, ranks, &turned);
    MPI_Group_compare(world, turned, &result);
    CHECK_EQ(result, n == 1 ? MPI_IDENT : MPI_SIMILAR);
    MPI_Group_incl(world, n - 1, ranks, &part);
    MPI_Group_compare(world, part, &result);
    CHECK_EQ(result, MPI_UNEQUAL);
    int one = MPI_PROC_NULL, to = 0;
    MPI_Group_translate_ranks(world, 1, &one, turned, &to);
    CHECK_EQ(to, MPI_PROC_NULL);
    MPI_Group_free(&turned);
    MPI_Group_free(&part);
}

/* A group outlives the communicator it came from. */
static void outlives(void)
{
    MPI_Comm dup;
    MPI_Group g, w;
    int result;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &dup);
    MPI_Comm_group(dup, &g);
    MPI_Comm_free(&dup);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &dup); /* may take the same memory */
    MPI_Comm_group(MPI_COMM_WORLD, &w);
    MPI_Group_compare(g, w, &result);
    CHECK_EQ(result, world_size() == 1 ? MPI_IDENT : MPI_SIMILAR);
    MPI_Group_free(&g);
    MPI_Group_free(&w);
    MPI_Comm_free(&dup);
}

static void wrong(MPI_Group world, int n)
{
    MPI_Group g;
    int twice[2] = {0, 0}, beyond = n, range[1][3] = {{0, n, 1}}, flat[1][3] = {{0, 0, 0}};
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Group_incl(world, 2, twice, &g), MPI_ERR_RANK);
    CHECK_EQ(MPI_Group_incl(world, 1, &beyond, &g), MPI_ERR_RANK);
    CHECK_EQ(MPI_Group_excl(world, 1, &beyond, &g), MPI_ERR_RANK);
    CHECK_EQ(MPI_Group_incl(world, -1, twice, &g), MPI_ERR_ARG);
    CHECK_EQ(MPI_Group_incl(MPI_GROUP_NULL, 0, NULL, &g), MPI_ERR_GROUP);
    CHECK_EQ(MPI_Group_range_incl(world, 1, range, &g), MPI_ERR_RANK);
    CHECK_EQ(MPI_Group_range_incl(world, 1, flat, &g), MPI_ERR_ARG);
    CHECK_EQ(MPI_Group_union(world, MPI_GROUP_NULL, &g), MPI_ERR_GROUP);
    CHECK_EQ(MPI_Group_union(world, world, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Group_translate_ranks(world, 1, &beyond, world, twice), MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Group world;
    unsigned int seed = 7; /* the same groups on all ranks */
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int n = world_size();
    CHECK(n <= MOST);
    for (int i = 0; i < 200; i++) {
        set_operations(&seed, world, n);
        ranges(&seed, world, n);
    }
    compare(world, n);
    outlives();
    wrong(world, n);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
