/* SPDX-License-Identifier: MIT */
/* The tool interface: a lister of all that there is, before MPI_Init too; counters that count what
 * was sent; a threshold and an algorithm that are written. */
#include <string.h>

#include "check.h"

enum { TEXT = 200 };

static void list_enum(MPI_T_enum items)
{
    int n, value, length = TEXT;
    char name[TEXT];
    CHECK_EQ(MPI_T_enum_get_info(items, &n, name, &length), MPI_SUCCESS);
    CHECK(n >= 1 && (int)strlen(name) + 1 == length); /* bare metal has one set of protocols */
    for (int i = 0; i < n; i++) {
        length = TEXT;
        CHECK_EQ(MPI_T_enum_get_item(items, i, &value, name, &length), MPI_SUCCESS);
        CHECK_EQ(value, i);
        CHECK(i != 0 || strcmp(name, "auto") == 0 || strcmp(name, "adaptive") == 0 ||
              strcmp(name, "no") == 0);
    }
    CHECK_EQ(MPI_T_enum_get_item(items, n, &value, name, &length), MPI_T_ERR_INVALID_ITEM);
}

static void list_cvars(void)
{
    int n, again, verbosity, bind, scope, count, value;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_cvar_handle handle;
    CHECK_EQ(MPI_T_cvar_get_num(&n), MPI_SUCCESS);
    CHECK(n > 10);
    for (int i = 0; i < n; i++) {
        char name[TEXT], what[TEXT];
        int length = TEXT, long_enough = TEXT, needed = 0;
        CHECK_EQ(MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &items, what,
                                     &long_enough, &bind, &scope),
                 MPI_SUCCESS);
        CHECK_EQ(MPI_T_cvar_get_info(i, NULL, &needed, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                 MPI_SUCCESS);
        CHECK(needed == length && (int)strlen(name) + 1 == length && bind == MPI_T_BIND_NO_OBJECT);
        CHECK_EQ(MPI_T_cvar_get_index(name, &again), MPI_SUCCESS);
        CHECK_EQ(again, i);
        if (items != MPI_T_ENUM_NULL)
            list_enum(items);
        CHECK_EQ(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count), MPI_SUCCESS);
        CHECK_EQ(count, 1);
        CHECK_EQ(MPI_T_cvar_read(handle, &value), MPI_SUCCESS);
        CHECK_EQ(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    }
    CHECK_EQ(MPI_T_cvar_get_index("no such name", &again), MPI_T_ERR_INVALID_NAME);
    CHECK_EQ(MPI_T_cvar_handle_alloc(n, NULL, &handle, &count), MPI_T_ERR_INVALID_INDEX);
    CHECK_EQ(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, &value), MPI_T_ERR_INVALID_HANDLE);
}

static void list_pvars(void)
{
    int n, again, verbosity, class, bind, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_pvar_session session;
    CHECK_EQ(MPI_T_pvar_get_num(&n), MPI_SUCCESS);
    CHECK_EQ(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        char name[TEXT], what[TEXT];
        int length = TEXT, enough = TEXT;
        unsigned long long value;
        MPI_T_pvar_handle handle;
        CHECK_EQ(MPI_T_pvar_get_info(i, name, &length, &verbosity, &class, &type, &items, what,
                                     &enough, &bind, &readonly, &continuous, &atomic),
                 MPI_SUCCESS);
        CHECK(type == MPI_UNSIGNED_LONG_LONG);
        CHECK_EQ(MPI_T_pvar_get_index(name, class, &again), MPI_SUCCESS);
        CHECK_EQ(again, i);
        CHECK_EQ(MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &count), MPI_SUCCESS);
        CHECK_EQ(MPI_T_pvar_start(session, handle),
                 continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS);
        CHECK_EQ(MPI_T_pvar_reset(session, handle),
                 readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS);
        CHECK_EQ(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
        CHECK(continuous || value == 0);
        if (i % 2) /* the others go with the session */
            CHECK_EQ(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    }
    CHECK_EQ(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    CHECK_EQ(MPI_T_pvar_session_free(&session), MPI_T_ERR_INVALID_SESSION);
}

/* Every variable is in one category. */
static void list_categories(void)
{
    int n, cvars, pvars, inner, all_cvars, all_pvars, indices[200], events, changed;
    int sum_cvars = 0, sum_pvars = 0;
    MPI_T_cvar_get_num(&all_cvars);
    MPI_T_pvar_get_num(&all_pvars);
    CHECK_EQ(MPI_T_category_get_num(&n), MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        char name[TEXT], what[TEXT];
        int length = TEXT, enough = TEXT, again;
        CHECK_EQ(MPI_T_category_get_info(i, name, &length, what, &enough, &cvars, &pvars, &inner),
                 MPI_SUCCESS);
        CHECK_EQ(MPI_T_category_get_index(name, &again), MPI_SUCCESS);
        CHECK(again == i && inner == 0 && cvars + pvars > 0);
        CHECK_EQ(MPI_T_category_get_cvars(i, 200, indices), MPI_SUCCESS);
        for (int k = 0; k < cvars; k++)
            CHECK(indices[k] >= 0 && indices[k] < all_cvars);
        CHECK_EQ(MPI_T_category_get_pvars(i, 200, indices), MPI_SUCCESS);
        for (int k = 0; k < pvars; k++)
            CHECK(indices[k] >= 0 && indices[k] < all_pvars);
        sum_cvars += cvars;
        sum_pvars += pvars;
        CHECK_EQ(MPI_T_category_get_num_events(i, &events), MPI_SUCCESS);
        CHECK_EQ(events, 0);
    }
    CHECK(sum_cvars == all_cvars && sum_pvars == all_pvars);
    CHECK_EQ(MPI_T_category_get_cvars(n, 200, indices), MPI_T_ERR_INVALID_INDEX);
    CHECK_EQ(MPI_T_category_changed(&changed), MPI_SUCCESS);
    CHECK_EQ(MPI_T_event_get_num(&events), MPI_SUCCESS);
    CHECK_EQ(events, 0);
}

struct counted {
    MPI_T_pvar_session session;
    int n;
    MPI_T_pvar_handle handle[100];
};

static unsigned long long sum_of(const struct counted *c, const char *suffix)
{
    unsigned long long sum = 0, value;
    for (int i = 0; i < c->n; i++) {
        char name[TEXT];
        int length = TEXT;
        MPI_T_pvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                            NULL);
        const char *dot = strchr(name, '.');
        if (dot && strcmp(dot, suffix) == 0) {
            CHECK_EQ(MPI_T_pvar_read(c->session, c->handle[i], &value), MPI_SUCCESS);
            sum += value;
        }
    }
    return sum;
}

static void send_some(int rank, int size, int times)
{
    char out[24] = "", in[24];
    for (int i = 0; i < times; i++)
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % size, 0, in, sizeof in, MPI_CHAR,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Counters count while they run. */
static void count_messages(int rank, int size)
{
    struct counted c;
    int count;
    CHECK_EQ(MPI_T_pvar_session_create(&c.session), MPI_SUCCESS);
    MPI_T_pvar_get_num(&c.n);
    CHECK(c.n <= 100);
    for (int i = 0; i < c.n; i++)
        MPI_T_pvar_handle_alloc(c.session, i, NULL, &c.handle[i], &count);
    CHECK_EQ(MPI_T_pvar_start(c.session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    send_some(rank, size, 3);
    CHECK_EQ(MPI_T_pvar_stop(c.session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    send_some(rank, size, 2);
    CHECK_EQ(sum_of(&c, ".messages"), 3);
    CHECK_EQ(sum_of(&c, ".bytes"), 3 * 24);
    CHECK_EQ(MPI_T_pvar_reset(c.session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    CHECK_EQ(sum_of(&c, ".messages"), 0);
    CHECK_EQ(MPI_T_pvar_session_free(&c.session), MPI_SUCCESS);
}

/* Of 1 + rank of each rank that is before this one, this one, or any. */
static void sum_all(int rank, int size)
{
    int one = 1 + rank, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, size * (size + 1) / 2);
}

static void sum_to(int rank, int size)
{
    int one = 1 + rank, sum = 0;
    (void)size;
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, one * (one + 1) / 2);
}

static void sum_before(int rank, int size)
{
    int one = 1 + rank, sum = 0;
    (void)size;
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, rank * (rank + 1) / 2);
}

/* The algorithm of an operation, chosen; the result is what it is with any. */
static void choose(const char *name, void (*sum)(int rank, int size), int rank, int size)
{
    int index, count, items, chosen;
    MPI_T_cvar_handle handle;
    MPI_T_enum algorithms;
    CHECK_EQ(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &algorithms, NULL, NULL, NULL, NULL);
    MPI_T_enum_get_info(algorithms, &items, NULL, NULL);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    for (int i = items - 1; i >= 0; i--) {
        CHECK_EQ(MPI_T_cvar_write(handle, &i), MPI_SUCCESS);
        CHECK_EQ(MPI_T_cvar_read(handle, &chosen), MPI_SUCCESS);
        CHECK_EQ(chosen, i);
        sum(rank, size);
    }
    CHECK(items > 2);
    CHECK_EQ(MPI_T_cvar_write(handle, &items), MPI_T_ERR_INVALID);
    MPI_T_cvar_handle_free(&handle);
}

/* What must be alike on all ranks is refused once the machine runs. */
static void keep(const char *name, unsigned int other)
{
    int index, count, scope;
    unsigned int before, after;
    MPI_T_cvar_handle handle;
    CHECK_EQ(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &scope);
    CHECK_EQ(scope, MPI_T_SCOPE_CONSTANT);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    CHECK_EQ(MPI_T_cvar_read(handle, &before), MPI_SUCCESS);
    CHECK(before != other);
    CHECK_EQ(MPI_T_cvar_write(handle, &other), MPI_T_ERR_CVAR_SET_NEVER);
    CHECK_EQ(MPI_T_cvar_read(handle, &after), MPI_SUCCESS);
    CHECK_EQ(after, before);
    MPI_T_cvar_handle_free(&handle);
}

/* The set of protocols is that of the whole job; a communicator's segment has room for as much as
 * the limit said at its first collective. */
static void keep_constants(int size)
{
    enum { MOST = 1024 };
    double in[MOST], out[MOST];
    keep("protocols", 1);
    for (int n = 1; n <= MOST; n *= 4) {
        keep("segment_limit", 40);
        for (int i = 0; i < n; i++)
            in[i] = i;
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            CHECK_EQ((long)out[i], (long)size * i);
    }
}

/* A threshold: only values in its range. */
static void set_threshold(void)
{
    int index, count;
    unsigned int before, after, bad = ~0u, zero = 0;
    MPI_T_cvar_handle handle;
    CHECK_EQ(MPI_T_cvar_get_index("eager_limit", &index), MPI_SUCCESS);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    CHECK_EQ(MPI_T_cvar_read(handle, &before), MPI_SUCCESS);
    CHECK_EQ(MPI_T_cvar_write(handle, &bad), MPI_T_ERR_INVALID);
    CHECK_EQ(MPI_T_cvar_write(handle, &zero), MPI_SUCCESS);
    CHECK_EQ(MPI_T_cvar_read(handle, &after), MPI_SUCCESS);
    CHECK_EQ(after, 0);
    CHECK_EQ(MPI_T_cvar_write(handle, &before), MPI_SUCCESS);
    MPI_T_cvar_handle_free(&handle);
}

int main(int argc, char **argv)
{
    int n, provided, rank, size;
    CHECK_EQ(MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    CHECK_EQ(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    CHECK_EQ(provided, MPI_THREAD_SINGLE);
    list_cvars();
    list_pvars();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_EQ(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    list_cvars();
    list_categories();
    count_messages(rank, size);
    choose("allreduce.algorithm", sum_all, rank, size);
    choose("scan.algorithm", sum_to, rank, size);
    choose("exscan.algorithm", sum_before, rank, size);
    keep_constants(size);
    set_threshold();
    CHECK_EQ(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    CHECK_EQ(MPI_T_cvar_get_num(&n), MPI_SUCCESS);
    CHECK_EQ(MPI_T_finalize(), MPI_SUCCESS);
    CHECK_EQ(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    return 0;
}
