/* SPDX-License-Identifier: MIT */
/* Collectives between two groups of different sizes, in all forms. Group 0 is the first `cut` ranks
 * of the world, group 1 the rest. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "coll.h"

struct run {
    MPI_Comm comm;
    enum form form;
    int group, me, mine, theirs; /* own group, rank in it, sizes of both */
};

#define N 3

/* What rank r of a group gives. */
static int given(int group, int r, int i)
{
    return group * 5000 + r * 10 + i;
}

/* `root` of the call on this rank when rank r of `group` is the root. */
static int root_arg(const struct run *t, int group, int r)
{
    if (t->group != group)
        return r;
    return t->me == r ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(const struct run *t, int group, int r)
{
    int root = root_arg(t, group, r), away = t->group != group, here = root == MPI_ROOT;
    int own[N], many[64 * N], sum[N] = {0}, got[N] = {0};
    for (int i = 0; i < N; i++)
        own[i] = given(t->group, t->me, i);
    int buf[N];
    memcpy(buf, own, sizeof buf);
    COLL(t->form, Bcast, Ibcast, buf, N, MPI_INT, root, t->comm);
    for (int i = 0; i < N; i++)
        CHECK_EQ(buf[i], away ? given(group, r, i) : own[i]);
    COLL(t->form, Gather, Igather, own, N, MPI_INT, many, N, MPI_INT, root, t->comm);
    for (int i = 0; i < N * t->theirs && here; i++)
        CHECK_EQ(many[i], given(!group, i / N, i % N));
    for (int i = 0; i < N * t->theirs && here; i++)
        many[i] += 7;
    COLL(t->form, Scatter, Iscatter, many, N, MPI_INT, got, N, MPI_INT, root, t->comm);
    for (int i = 0; i < N && away; i++)
        CHECK_EQ(got[i], own[i] + 7);
    COLL(t->form, Reduce, Ireduce, own, sum, N, MPI_INT, MPI_SUM, root, t->comm);
    for (int i = 0; i < N && here; i++) {
        int want = 0;
        for (int k = 0; k < t->theirs; k++)
            want += given(!group, k, i);
        CHECK_EQ(sum[i], want);
    }
}

static void vectors(const struct run *t, int group, int r)
{
    int root = root_arg(t, group, r), away = t->group != group, here = root == MPI_ROOT;
    int lengths[64], starts[64], many[64 * 4], got[N];
    for (int i = 0; i < 64; i++) {
        lengths[i] = i % 3;
        starts[i] = 4 * i;
    }
    for (int i = 0; i < 64 * 4; i++)
        many[i] = given(group, i / 4, i % 4);
    COLL(t->form, Scatterv, Iscatterv, many, lengths, starts, MPI_INT, got, t->me % 3, MPI_INT,
         root, t->comm);
    for (int i = 0; i < t->me % 3 && away; i++)
        CHECK_EQ(got[i], given(group, t->me, i));
    memset(many, 0, sizeof many);
    COLL(t->form, Gatherv, Igatherv, got, t->me % 3, MPI_INT, many, lengths, starts, MPI_INT, root,
         t->comm);
    for (int k = 0; k < t->theirs && here; k++)
        for (int i = 0; i < 4; i++)
            CHECK_EQ(many[4 * k + i], i < k % 3 ? given(group, k, i) : 0);
}

static void exchanges(const struct run *t)
{
    int own[N], many[64 * N], out[64 * N], lengths[64], starts[64];
    for (int i = 0; i < N; i++)
        own[i] = given(t->group, t->me, i);
    COLL(t->form, Allgather, Iallgather, own, N, MPI_INT, many, N, MPI_INT, t->comm);
    for (int i = 0; i < N * t->theirs; i++)
        CHECK_EQ(many[i], given(!t->group, i / N, i % N));
    for (int i = 0; i < N * t->theirs; i++)
        out[i] = given(t->group, t->me, i / N) + i % N;
    COLL(t->form, Alltoall, Ialltoall, out, N, MPI_INT, many, N, MPI_INT, t->comm);
    for (int i = 0; i < N * t->theirs; i++)
        CHECK_EQ(many[i], given(!t->group, i / N, t->me) + i % N);
    for (int i = 0; i < t->theirs; i++) {
        lengths[i] = i % 3;
        starts[i] = N * i;
    }
    memset(many, 0, sizeof many);
    COLL(t->form, Allgatherv, Iallgatherv, own, t->me % 3, MPI_INT, many, lengths, starts, MPI_INT,
         t->comm);
    for (int i = 0; i < N * t->theirs; i++)
        CHECK_EQ(many[i], i % N < i / N % 3 ? given(!t->group, i / N, i % N) : 0);
}

static void reductions(const struct run *t)
{
    int parts = t->mine * t->theirs; /* both groups give as many elements */
    int *out = malloc((size_t)parts * sizeof(int)), *got = malloc((size_t)parts * sizeof(int));
    int counts[64], sum = t->theirs * (t->theirs - 1) / 2;
    for (int i = 0; i < parts; i++)
        out[i] = t->me + i;
    COLL(t->form, Allreduce, Iallreduce, out, got, parts, MPI_INT, MPI_SUM, t->comm);
    for (int i = 0; i < parts; i++)
        CHECK_EQ(got[i], sum + t->theirs * i);
    COLL(t->form, Reduce_scatter_block, Ireduce_scatter_block, out, got, t->theirs, MPI_INT,
         MPI_SUM, t->comm);
    for (int i = 0; i < t->theirs; i++)
        CHECK_EQ(got[i], sum + t->theirs * (t->me * t->theirs + i));
    for (int i = 0; i < t->mine; i++)
        counts[i] = i ? t->theirs : parts - t->theirs * (t->mine - 1);
    COLL(t->form, Reduce_scatter, Ireduce_scatter, out, got, counts, MPI_INT, MPI_SUM, t->comm);
    for (int i = 0; i < counts[t->me]; i++)
        CHECK_EQ(got[i], sum + t->theirs * (t->me * t->theirs + i));
    free(out);
    free(got);
}

/* The last of those who give comes so late that the others ask who called something else. Whoever
 * gives nothing has called no operator, and all the same nothing else. */
static void late_reduce(const struct run *t)
{
    int last = t->group == 1 && t->me == t->mine - 1, one = 1, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (last)
        nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root_arg(t, 0, 0), t->comm);
    CHECK(sum == 0 || sum == t->theirs);
    MPI_Barrier(t->comm);
}

static void test(int cut)
{
    struct run t;
    MPI_Comm local;
    int world = world_size(), me = world_rank(), flag;
    t.group = me >= cut;
    MPI_Comm_split(MPI_COMM_WORLD, t.group, me, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, t.group ? 0 : cut, 5, &t.comm);
    MPI_Comm_rank(t.comm, &t.me);
    MPI_Comm_size(t.comm, &t.mine);
    MPI_Comm_remote_size(t.comm, &t.theirs);
    CHECK(MPI_Comm_test_inter(t.comm, &flag) == MPI_SUCCESS && flag);
    for (t.form = BLOCKING; t.form < FORMS; t.form++) {
        COLL(t.form, Barrier, Ibarrier, t.comm);
        for (int r = 0; r < cut; r += 2)
            rooted(&t, 0, r);
        for (int r = 0; r < world - cut; r += 2)
            rooted(&t, 1, r);
        vectors(&t, 0, cut - 1);
        vectors(&t, 1, 0);
        exchanges(&t);
        reductions(&t);
    }
    if (cut == 2)
        late_reduce(&t);
    MPI_Comm_free(&t.comm);
    MPI_Comm_free(&local);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int cut = 1; cut < world_size(); cut += cut < 3 ? 1 : 4)
        test(cut);
    MPI_Finalize();
    return 0;
}
