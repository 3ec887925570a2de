/* SPDX-License-Identifier: MIT */
/* What the calls of arguments.py are made from. Every object is a rank's own: a communicator of one
 * rank, its topologies, a session; each raises errors through a handler of its own, which notes
 * that it was called. */
#ifndef TESTS_MPI_ARGUMENTS_H
#define TESTS_MPI_ARGUMENTS_H

#include <stdbool.h>

#include "check.h"

enum owner { OF_NOBODY, OF_COMM, OF_SELF, OF_WORLD, OF_SESSION };
static const char *const owners[] = {"nobody", "the communicator", "MPI_COMM_SELF",
                                     "MPI_COMM_WORLD", "the session"};

/* calls of handlers: how many, the last one */
static int raised, raised_code, failures, calls;
static enum owner raised_on;
static bool verbose;

static void note(enum owner on, int code)
{
    raised++;
    raised_on = on;
    raised_code = code;
}

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    note(*comm == MPI_COMM_SELF ? OF_SELF : *comm == MPI_COMM_WORLD ? OF_WORLD : OF_COMM, *code);
}

static void on_session(MPI_Session *s, int *code, ...)
{
    (void)s;
    note(OF_SESSION, *code);
}

/* good arguments */
static MPI_Comm comm, grid, graph, net;
static MPI_Session session;
static MPI_Group group;
static MPI_Info info;
static MPI_Message message;
static int key, key_type, key_win, added_class, added_code;
static MPI_Status status, statuses[4];
static MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                  MPI_REQUEST_NULL};
static const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
static const int ones[4] = {1, 1, 1, 1}, zeros[4], nones[1] = {MPI_DISTRIBUTE_NONE},
                 dargs[1] = {MPI_DISTRIBUTE_DFLT_DARG};
static const MPI_Count ones_c[4] = {1, 1, 1, 1}, zeros_c[4];
static const MPI_Aint zeros_a[4];
static int zero, most = 64, ranges[1][3] = {{0, 0, 1}}, free_dims[4];
static MPI_Count zero_c;
static MPI_Aint zero_a;
static char text[MPI_MAX_LIBRARY_VERSION_STRING], *argv_of[2] = {text, NULL};
static long in[64], out[64], more[64]; /* a wrong call never writes there */
static void *address;

/* bad ones */
static MPI_Comm freed_comm;
static MPI_Session freed_session;
static MPI_Group freed_group;
static MPI_Datatype freed_datatype, uncommitted;
static MPI_Op freed_op;
static MPI_Info freed_info;
static MPI_Errhandler freed_errhandler;
static MPI_Request freed_request, garbage[1];
static MPI_Message freed_message;
static int freed_key, freed_key_type, freed_key_win;
static long foreign[16];
static const MPI_Datatype no_types[4];
static const int minus[4] = {-1, -1, -1, -1}, large[4] = {77, 77, 77, 77};
static const MPI_Count minus_c[4] = {-1, -1, -1, -1};

static void callback(void)
{
}

static MPI_Message probed(void)
{
    MPI_Message m;
    MPI_Send(in, 1, MPI_INT, 0, 0, comm);
    MPI_Mprobe(0, 0, comm, &m, MPI_STATUS_IGNORE);
    return m;
}

static void prepare_handlers(void)
{
    MPI_Errhandler e;
    MPI_Comm_create_errhandler(on_comm, &e);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, e);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, e);
    MPI_Errhandler_free(&e);
    MPI_Session_create_errhandler(on_session, &e);
    MPI_Session_init(MPI_INFO_NULL, e, &session);
    MPI_Errhandler_free(&e);
}

static void prepare_objects(void)
{
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Cart_create(comm, 1, ones, zeros, 0, &grid);
    MPI_Graph_create(comm, 1, ones, zeros, 0, &graph);
    MPI_Dist_graph_create_adjacent(comm, 1, zeros, ones, 1, zeros, ones, MPI_INFO_NULL, 0, &net);
    MPI_Comm_group(comm, &group);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key_type, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key_win, NULL);
    MPI_Add_error_class(&added_class);
    MPI_Add_error_code(added_class, &added_code);
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    message = probed();
}

/* Handles of objects that were freed. */
static void prepare_freed(void)
{
    MPI_Comm c;
    MPI_Session s;
    MPI_Group g;
    MPI_Datatype t;
    MPI_Op o;
    MPI_Info i;
    MPI_Errhandler e;
    MPI_Request q;
    MPI_Message m = freed_message = probed();
    MPI_Mrecv(out, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    MPI_Comm_dup(comm, &c);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
    MPI_Comm_group(comm, &g);
    MPI_Type_contiguous(3, MPI_INT, &t);
    MPI_Op_create((MPI_User_function *)callback, 1, &o);
    MPI_Info_create(&i);
    MPI_Comm_create_errhandler(on_comm, &e);
    MPI_Recv_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &q);
    freed_comm = c;
    freed_session = s;
    freed_group = g;
    freed_datatype = t;
    freed_op = o;
    freed_info = i;
    freed_errhandler = e;
    freed_request = q;
    MPI_Comm_free(&c);
    MPI_Session_finalize(&s);
    MPI_Group_free(&g);
    MPI_Type_free(&t);
    MPI_Op_free(&o);
    MPI_Info_free(&i);
    MPI_Errhandler_free(&e);
    MPI_Request_free(&q);
    garbage[0] = (MPI_Request)foreign;
}

static void prepare_freed_keys(void)
{
    int k;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &k, NULL);
    freed_key = k;
    MPI_Comm_free_keyval(&k);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &k, NULL);
    freed_key_type = k;
    MPI_Type_free_keyval(&k);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &k, NULL);
    freed_key_win = k;
    MPI_Win_free_keyval(&k);
}

/* With an argument every call is told before it is made. */
static inline void prepare(int argc, char **argv)
{
    verbose = argc > 1;
    MPI_Init(&argc, &argv);
    prepare_handlers();
    prepare_objects();
    prepare_freed();
    prepare_freed_keys();
    CHECK_EQ(raised, 0);
}

static inline int finish(void)
{
    MPI_Mrecv(out, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Comm_free(&net);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Type_free(&uncommitted);
    MPI_Session_finalize(&session);
    MPI_Finalize();
    if (failures)
        fprintf(stderr, "%d of %d calls failed otherwise\n", failures, calls);
    return failures != 0;
}

static void judge(const char *what, int got, int class, enum owner owner)
{
    int right = owner == OF_NOBODY ? 0 : 1;
    bool known = raised == right && (!right || (raised_on == owner && raised_code == got));
    calls++;
    if (got == class && known)
        return;
    failures++;
    fprintf(stderr, "%s: class %d, should be %d; raised %d times, on %s, should be %s\n", what, got,
            class, raised, raised ? owners[raised_on] : "nobody", owners[owner]);
}

#define BAD(what, class, owner, call)                                                              \
    do {                                                                                           \
        raised = 0;                                                                                \
        if (verbose)                                                                               \
            fprintf(stderr, "%s\n", what);                                                         \
        judge(what, call, class, owner);                                                           \
    } while (0)

#endif
