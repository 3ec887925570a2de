/* SPDX-License-Identifier: MIT */
/* Sessions: without MPI_Init, before it, beside it and after MPI_Finalize; the argument chooses. */
#include <string.h>

#include "check.h"

static void handler(MPI_Session *session, int *code, ...)
{
    CHECK(*session != MPI_SESSION_NULL);
    CHECK(*code != MPI_SUCCESS);
}

static void ring(MPI_Comm comm)
{
    int rank, size, got = -1;
    MPI_Request request;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 1, comm, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(got, (rank + size - 1) % size);
}

static void psets(MPI_Session session)
{
    int n = 0, len = 0, flag, worlds = 0;
    char name[MPI_MAX_PSET_NAME_LEN], value[16];
    MPI_Info info;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
    CHECK(n >= 2);
    for (int i = 0; i < n; i++) {
        len = 0;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &len, NULL);
        CHECK(len > 1 && len < (int)sizeof name);
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &len, name);
        CHECK_EQ(strlen(name), len - 1);
        worlds += strcmp(name, "mpi://WORLD") == 0;
    }
    CHECK_EQ(worlds, 1);
    MPI_Session_get_pset_info(session, "mpi://SELF", &info);
    len = sizeof value;
    MPI_Info_get_string(info, "mpi_size", &len, value, &flag);
    CHECK(flag && strcmp(value, "1") == 0);
    MPI_Info_free(&info);
    MPI_Session_get_info(session, &info);
    len = sizeof value;
    MPI_Info_get_string(info, "thread_level", &len, value, &flag);
    CHECK(flag);
    len = sizeof value;
    MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &len, value, &flag);
    CHECK(flag && strcmp(value, "mpi,system") == 0);
    MPI_Info_free(&info);
}

/* From the set of all to a communicator, and to one between odd and even ranks. */
static void use(MPI_Session session)
{
    MPI_Group world, part, rest;
    MPI_Comm comm, inter;
    int n, rank, every[1][3];
    CHECK_EQ(MPI_Group_from_session_pset(session, "mpi://WORLD", &world), MPI_SUCCESS);
    MPI_Group_size(world, &n);
    MPI_Group_rank(world, &rank);
    MPI_Comm_create_from_group(world, "all of us", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    ring(comm);
    CHECK_EQ(MPI_Send(&n, 1, MPI_INT, n, 0, comm), MPI_ERR_RANK);
    MPI_Comm_free(&comm);
    if (n > 1) {
        every[0][0] = rank % 2;
        every[0][1] = n - 1 - (n - 1 - rank) % 2;
        every[0][2] = 2;
        MPI_Group_range_incl(world, 1, every, &part);
        MPI_Group_difference(world, part, &rest);
        MPI_Comm_create_from_group(part, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
        ring(comm);
        MPI_Comm_free(&comm);
        MPI_Intercomm_create_from_groups(part, 0, rest, 0, "both", MPI_INFO_NULL,
                                         MPI_ERRORS_ARE_FATAL, &inter);
        MPI_Intercomm_merge(inter, rank % 2, &comm);
        ring(comm);
        MPI_Comm_rank(comm, &n);
        CHECK_EQ(n, rank % 2 ? n : rank / 2);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&inter);
        MPI_Group_free(&part);
        MPI_Group_free(&rest);
    }
    MPI_Group_free(&world);
}

static void one(void)
{
    MPI_Session session;
    MPI_Group group = MPI_GROUP_EMPTY;
    MPI_Errhandler mine, got;
    int len = 5;
    char name[8];
    MPI_Session_create_errhandler(handler, &mine);
    CHECK_EQ(MPI_Session_init(MPI_INFO_NULL, mine, &session), MPI_SUCCESS);
    MPI_Session_get_errhandler(session, &got);
    CHECK(got == mine);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&mine);
    psets(session);
    use(session);
    CHECK_EQ(MPI_Group_from_session_pset(session, "mpi://NOBODY", &group), MPI_ERR_ARG);
    CHECK_EQ(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 99, &len, name), MPI_ERR_ARG);
    CHECK_EQ(MPI_Session_call_errhandler(session, MPI_ERR_OTHER), MPI_SUCCESS);
    MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                        &(MPI_Comm){0}),
             MPI_ERR_GROUP);
    CHECK_EQ(MPI_Session_finalize(&session), MPI_SUCCESS);
    CHECK(session == MPI_SESSION_NULL);
}

static int raised;

static void count_raised(MPI_Session *session, int *code, ...)
{
    CHECK(*session != MPI_SESSION_NULL);
    CHECK_EQ(*code, MPI_ERR_INFO_VALUE);
    raised++;
}

/* A level of threads is known by its name; one that is granted or not is no error. */
static void levels(void)
{
    static const char *const known[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                        "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
    static const char *const unknown[] = {"MPI_THREAD_MULTIPEL", "mpi_thread_single", "3", " "};
    MPI_Session session;
    MPI_Errhandler mine;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Session_create_errhandler(count_raised, &mine);
    for (int i = 0; i < 4; i++) {
        MPI_Info_set(info, "thread_level", known[i]);
        CHECK_EQ(MPI_Session_init(info, MPI_ERRORS_RETURN, &session), MPI_SUCCESS);
        MPI_Session_finalize(&session);
        MPI_Info_set(info, "thread_level", unknown[i]);
        CHECK_EQ(MPI_Session_init(info, MPI_ERRORS_RETURN, &session), MPI_ERR_INFO_VALUE);
        CHECK(session == MPI_SESSION_NULL);
        CHECK_EQ(MPI_Session_init(info, mine, &session), MPI_ERR_INFO_VALUE);
        CHECK_EQ(raised, i + 1);
    }
    MPI_Errhandler_free(&mine);
    MPI_Info_free(&info);
}

/* What a session's requests hold of it they give back: it lives on. */
static void buffer_of_session(void)
{
    static char room[1000];
    MPI_Session session;
    void *back;
    int size;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(MPI_Session_attach_buffer(session, room, sizeof room), MPI_SUCCESS);
        CHECK_EQ(MPI_Session_flush_buffer(session), MPI_SUCCESS);
        CHECK_EQ(MPI_Session_detach_buffer(session, &back, &size), MPI_SUCCESS);
        CHECK(back == room && size == sizeof room);
    }
    for (int i = 0; i < 3; i++) { /* one that is not detached goes with its session */
        CHECK_EQ(MPI_Session_attach_buffer(session, room, sizeof room), MPI_SUCCESS);
        CHECK_EQ(MPI_Session_finalize(&session), MPI_SUCCESS);
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    }
    CHECK_EQ(MPI_Session_detach_buffer(session, &back, &size), MPI_ERR_BUFFER);
    CHECK_EQ(MPI_Session_finalize(&session), MPI_SUCCESS);
}

/* Whether a buffered send has room for this many bytes. */
static int has_room(MPI_Comm comm, int bytes)
{
    static char sent[1000], got[1000];
    MPI_Request request;
    MPI_Irecv(got, bytes, MPI_CHAR, 0, 1, comm, &request);
    int rc = MPI_Bsend(sent, bytes, MPI_CHAR, 0, 1, comm);
    CHECK(rc == MPI_SUCCESS || rc == MPI_ERR_BUFFER);
    if (rc)
        MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return !rc;
}

/* Of a communicator's own buffer, that of its session and that of the process the first is used. */
static void which_buffer(void)
{
    static char little[100 + MPI_BSEND_OVERHEAD], more[500 + MPI_BSEND_OVERHEAD],
        most[900 + MPI_BSEND_OVERHEAD];
    MPI_Session session[2];
    MPI_Group self, joined;
    MPI_Comm comm[2], derived;
    void *back;
    int size;
    for (int i = 0; i < 2; i++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[i]);
        MPI_Group_from_session_pset(session[i], "mpi://SELF", &self);
        MPI_Group_union(MPI_GROUP_EMPTY, self, &joined);
        MPI_Comm_create_from_group(joined, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm[i]);
        MPI_Group_free(&joined);
        MPI_Group_free(&self);
    }
    MPI_Comm_split(comm[0], 0, 0, &derived);
    MPI_Session_attach_buffer(session[0], more, sizeof more);
    CHECK(has_room(comm[0], 500) && has_room(derived, 500) && !has_room(comm[1], 10));
    MPI_Buffer_attach(little, sizeof little);
    CHECK(has_room(comm[0], 500) && !has_room(comm[1], 500) && has_room(comm[1], 100));
    MPI_Comm_attach_buffer(derived, most, sizeof most);
    CHECK(has_room(derived, 900) && !has_room(comm[0], 900));
    MPI_Session_detach_buffer(session[0], &back, &size);
    CHECK(!has_room(comm[0], 500) && has_room(comm[0], 100));
    MPI_Buffer_detach(&back, &size);
    CHECK(!has_room(comm[0], 100) && has_room(derived, 900));
    MPI_Comm_free(&derived);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_free(&comm[i]);
        MPI_Session_finalize(&session[i]);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "only";
    MPI_Session around;
    if (strcmp(way, "only") == 0) {
        one();
        one(); /* once more from the start */
        buffer_of_session();
        which_buffer();
        levels();
        return 0;
    }
    one();
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &around);
    MPI_Init(&argc, &argv);
    one();
    ring(MPI_COMM_WORLD);
    MPI_Finalize();
    use(around);
    MPI_Session_finalize(&around);
    one();
    return 0;
}
