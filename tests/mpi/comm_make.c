/* SPDX-License-Identifier: MIT */
/* Communicators: all ways to make one, each with a message around its ring. */
#include <string.h>

#include "check.h"

/* Ranks are lo, lo + step, ...; a token goes around and messages of other communicators, sent
 * before with the same tag, do not match. */
static void ring(MPI_Comm comm, int want_size, int want_rank)
{
    int size, rank, token = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    CHECK_EQ(size, want_size);
    CHECK_EQ(rank, want_rank);
    if (size == 1)
        return;
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    if (rank)
        MPI_Recv(&token, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
    CHECK_EQ(token, rank);
    token++;
    MPI_Send(&token, 1, MPI_INT, to, 3, comm);
    if (!rank) {
        MPI_Recv(&token, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
        CHECK_EQ(token, size);
    }
}

static int related(MPI_Comm a, MPI_Comm b)
{
    int result;
    MPI_Comm_compare(a, b, &result);
    return result;
}

static void dup(int rank, int size)
{
    MPI_Comm a, b;
    int flag = 1, word = rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(a, &b);
    CHECK_EQ(related(MPI_COMM_WORLD, a), MPI_CONGRUENT);
    CHECK_EQ(related(a, b), MPI_CONGRUENT);
    CHECK_EQ(related(a, a), MPI_IDENT);
    MPI_Comm_test_inter(a, &flag);
    CHECK_EQ(flag, 0);
    if (rank == 0 && size > 1) { /* the same envelope in three contexts */
        for (word = 1; word <= 3; word++)
            MPI_Send(&word, 1, MPI_INT, 1, 9, word == 1 ? MPI_COMM_WORLD : word == 2 ? a : b);
    } else if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, 0, 9, b, MPI_STATUS_IGNORE);
        CHECK_EQ(word, 3);
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(word, 1);
        MPI_Recv(&word, 1, MPI_INT, 0, 9, a, MPI_STATUS_IGNORE);
        CHECK_EQ(word, 2);
    }
    ring(a, size, rank);
    MPI_Comm_free(&a);
    CHECK(a == MPI_COMM_NULL);
    char name[MPI_MAX_OBJECT_NAME];
    CHECK_EQ(MPI_Comm_get_name(a, name, &word), MPI_SUCCESS);
    CHECK_EQ(strcmp(name, "MPI_COMM_NULL"), 0);
    ring(b, size, rank);
    MPI_Comm_free(&b);
}

static void split(int rank, int size)
{
    MPI_Comm half, turned, none;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    ring(half, (size + (rank + 1) % 2) / 2, rank / 2);
    MPI_Comm_split(MPI_COMM_WORLD, 5, -rank, &turned);
    ring(turned, size, size - 1 - rank);
    CHECK_EQ(related(turned, MPI_COMM_WORLD), size == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    MPI_Comm_split(turned, rank == 0 ? MPI_UNDEFINED : 0, rank, &none);
    if (rank == 0)
        CHECK(none == MPI_COMM_NULL);
    else
        ring(none, size - 1, rank - 1);
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_free(&half);
    MPI_Comm_free(&turned);
}

/* Guided by the name of a part of the machine, or of a set of processes; NULL where there is none
 * of that name. */
static MPI_Comm guided_by(int split_type, const char *key, const char *name)
{
    MPI_Comm part;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, name);
    MPI_Comm_split_type(MPI_COMM_WORLD, split_type, 0, info, &part);
    MPI_Info_free(&info);
    return part;
}

static MPI_Comm part_of(const char *name)
{
    return guided_by(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", name);
}

static MPI_Comm set_of(const char *name)
{
    return guided_by(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", name);
}

static void process_sets(void)
{
    static const char *const worlds[] = {"mpi://WORLD", "MPI://world", "lwmpi://CHIP"};
    MPI_Comm part;
    for (int i = 0; i < 3; i++) {
        part = set_of(worlds[i]);
        CHECK_EQ(related(MPI_COMM_WORLD, part), MPI_CONGRUENT);
        MPI_Comm_free(&part);
    }
    part = set_of("mpi://SELF");
    CHECK_EQ(related(MPI_COMM_SELF, part), MPI_CONGRUENT);
    MPI_Comm_free(&part);
    CHECK(set_of("mpi://NONE") == MPI_COMM_NULL);
}

/* Ranks are in one `near` exactly if their processors have the same name, `mine`. */
static void check_names(MPI_Comm near, int size)
{
    static char all[64][MPI_MAX_PROCESSOR_NAME];
    char mine[MPI_MAX_PROCESSOR_NAME] = "";
    int n, same = 0, together;
    MPI_Get_processor_name(mine, &n);
    MPI_Allgather(mine, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all, MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                  MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        same += strcmp(all[i], mine) == 0;
    MPI_Comm_size(near, &together);
    CHECK_EQ(same, together);
}

static void split_type(int rank, int size)
{
    MPI_Comm near, guided, cluster;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near);
    check_names(near, size);
    guided = part_of("mpi_shared_memory");
    CHECK_EQ(related(near, guided), MPI_CONGRUENT);
    MPI_Comm_free(&guided);
    guided = part_of("lwmpi://machine");
    CHECK_EQ(related(MPI_COMM_WORLD, guided), MPI_CONGRUENT);
    MPI_Comm_free(&guided);
    CHECK(part_of("no such thing") == MPI_COMM_NULL);
    cluster = part_of("lwmpi://cluster");
    MPI_Comm_split_type(cluster, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &guided);
    CHECK(guided == MPI_COMM_NULL);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, rank, MPI_INFO_NULL, &guided);
    if (related(cluster, MPI_COMM_WORLD) == MPI_CONGRUENT) {
        CHECK(guided == MPI_COMM_NULL);
    } else {
        CHECK_EQ(related(cluster, guided), MPI_CONGRUENT);
        MPI_Comm_free(&guided);
    }
    MPI_Comm_free(&cluster);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &guided);
    CHECK(guided == MPI_COMM_NULL);
    MPI_Comm_free(&near);
    process_sets();
}

/* The upper ranks in turned order, made by all and by themselves only. */
static void create(int rank, int size)
{
    int from = size / 2, n = size - from, ranks[64];
    MPI_Group world, upper;
    MPI_Comm comm;
    for (int i = 0; i < n; i++)
        ranks[i] = size - 1 - i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, ranks, &upper);
    MPI_Comm_create(MPI_COMM_WORLD, upper, &comm);
    CHECK_EQ(comm != MPI_COMM_NULL, rank >= from);
    if (comm != MPI_COMM_NULL) {
        ring(comm, n, size - 1 - rank);
        MPI_Comm_free(&comm);
    }
    if (rank >= from) {
        MPI_Comm_create_group(MPI_COMM_WORLD, upper, 11, &comm);
        ring(comm, n, size - 1 - rank);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Group_free(&world);
    MPI_Group_free(&upper);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME], longest[2 * MPI_MAX_OBJECT_NAME];
    int n = -1;
    MPI_Comm dup;
    MPI_Comm_get_name(MPI_COMM_SELF, name, &n);
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0 && n == 13);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_get_name(dup, name, &n);
    CHECK(n == 0 && name[0] == 0);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    MPI_Comm_set_name(dup, longest);
    MPI_Comm_get_name(dup, name, &n);
    CHECK_EQ(n, MPI_MAX_OBJECT_NAME - 1);
    CHECK_EQ(strlen(name), MPI_MAX_OBJECT_NAME - 1);
    MPI_Comm_free(&dup);
}

static void hints(void)
{
    MPI_Info info, used;
    MPI_Comm dup;
    char value[8];
    int flag, len = sizeof value;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "something else", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &dup);
    MPI_Comm_get_info(dup, &used);
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &len, value, &flag);
    CHECK(flag && strcmp(value, "true") == 0);
    MPI_Info_get_string(used, "something else", &len, value, &flag);
    CHECK(!flag);
    len = 0;
    MPI_Info_get_string(used, "mpi_memory_alloc_kinds", &len, NULL, &flag);
    CHECK(flag && len == sizeof "mpi,system");
    MPI_Info_free(&used);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "false");
    MPI_Comm_set_info(dup, info);
    MPI_Comm_get_info(dup, &used);
    len = sizeof value;
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &len, value, &flag);
    CHECK(flag && strcmp(value, "false") == 0);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    MPI_Comm_free(&dup);
}

/* More communicators one after the other than there are ids, some of them kept meanwhile. */
static void many(int rank, int size, int rounds)
{
    MPI_Comm kept[8], comm;
    for (int i = 0; i < 8; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &kept[i]);
    for (int i = 0; i < rounds; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    ring(comm, size, rank);
    MPI_Comm_free(&comm);
    for (int i = 0; i < 8; i++)
        MPI_Comm_free(&kept[i]);
}

static void wrong(int size)
{
    MPI_Comm comm, stale;
    MPI_Group world, self;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, -1, 0, &comm), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, 4, 0, MPI_INFO_NULL, &comm), MPI_ERR_ARG);
    CHECK_EQ(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm), MPI_ERR_GROUP);
    if (size > 1)
        CHECK_EQ(MPI_Comm_create(MPI_COMM_SELF, world, &comm), MPI_ERR_GROUP);
    CHECK_EQ(MPI_Comm_create_group(MPI_COMM_WORLD, self, -1, &comm), MPI_ERR_TAG);
    CHECK_EQ(MPI_Comm_free(&(MPI_Comm){MPI_COMM_WORLD}), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_remote_size(MPI_COMM_WORLD, &size), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_remote_group(MPI_COMM_WORLD, &world), MPI_ERR_COMM);
    CHECK_EQ(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL), MPI_ERR_INFO);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    stale = comm;
    MPI_Comm_free(&comm);
    CHECK_EQ(MPI_Comm_rank(stale, &size), MPI_ERR_COMM);
    CHECK_EQ(MPI_Comm_free(&comm), MPI_ERR_COMM);
    MPI_Group_free(&world);
    MPI_Group_free(&self);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    dup(rank, size);
    split(rank, size);
    split_type(rank, size);
    create(rank, size);
    names();
    hints();
    many(rank, size, argc > 1 ? atoi(argv[1]) : 40000);
    wrong(size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
