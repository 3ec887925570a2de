/* SPDX-License-Identifier: MIT */
/* What the calls of arguments.py are made from. Every object is a rank's own: a communicator of one
 * rank, its topologies, a session; each raises errors through a handler of its own, which notes
 * that it was called. */
#ifndef TESTS_MPI_ARGUMENTS_H
#define TESTS_MPI_ARGUMENTS_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

/* Calls of handlers: how many; the object and the code of the last one. */
static int raised, raised_code, failures, calls, skipped, ranks;
static const void *raised_on;
static bool verbose;
#define NOBODY NULL
#define GIVEN  ((void *)&raised) /* the function's errhandler argument: there is no object yet */

static void note(const void *on, int code)
{
    raised++;
    raised_on = on;
    raised_code = code;
}

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    note(*comm, *code);
}

static void on_session(MPI_Session *s, int *code, ...)
{
    note(*s, *code);
}

static void on_given(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    note(GIVEN, *code);
}

/* good arguments */
static MPI_Comm comm, buffered, grid, graph, net, inter = MPI_COMM_NULL;
static MPI_Session session;
static MPI_Group group;
static MPI_Info info;
static MPI_Errhandler given, given_session;
static MPI_Message message;
static int key, key_type, key_win, added_class, added_code;
static MPI_Status status, statuses[4];
static MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                  MPI_REQUEST_NULL};
static MPI_T_enum words;
static MPI_T_cvar_handle cvar;
static MPI_T_pvar_session watch;
static MPI_T_pvar_handle pvar;
static char pvar_name[100];
static int pvar_class;
static const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
static const int ones[4] = {1, 1, 1, 1}, twos[4] = {2, 2, 2, 2}, zeros[4],
                 nones[1] = {MPI_DISTRIBUTE_NONE}, dargs[1] = {MPI_DISTRIBUTE_DFLT_DARG};
static const MPI_Count ones_c[4] = {1, 1, 1, 1}, twos_c[4] = {2, 2, 2, 2}, zeros_c[4];
static const MPI_Aint zeros_a[4], huge_a[4] = {LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX};
static int zero, most = 64, ranges[1][3] = {{0, 0, 1}}, free_dims[4];
static MPI_Count zero_c;
static MPI_Aint zero_a;
static char text[MPI_MAX_LIBRARY_VERSION_STRING], *argv_of[2] = {text, NULL},
                                                  **argv_there = argv_of;
static long in[64], out[64], more[64]; /* a wrong call never writes there */
static void *address;

/* bad ones */
static MPI_Comm freed_comm, world = MPI_COMM_WORLD;
static MPI_Session freed_session;
static MPI_Group freed_group, outside = MPI_GROUP_NULL;
static MPI_Datatype freed_datatype, uncommitted, committed, int_type = MPI_INT;
static MPI_Op freed_op, sum = MPI_SUM;
static MPI_Info freed_info, env = MPI_INFO_ENV;
static MPI_Errhandler freed_errhandler;
static MPI_Request freed_request, garbage[1], inactive, active, pending;
static MPI_Message freed_message;
static MPI_T_cvar_handle freed_t_cvar_handle;
static MPI_T_pvar_handle freed_t_pvar_handle;
static MPI_T_pvar_session freed_t_pvar_session;
static int freed_key, freed_key_type, freed_key_win;
static long foreign[16];
static const MPI_Datatype no_types[4];
static const int minus[4] = {-1, -1, -1, -1}, minus_seven[4] = {-7, -7, -7, -7},
                 large[4] = {77, 77, 77, 77}, blocks[1] = {MPI_DISTRIBUTE_BLOCK};
static const MPI_Count minus_c[4] = {-1, -1, -1, -1}, large_c[4] = {77, 77, 77, 77},
                       huge_c[4] = {LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX};
static int minus_one = -1, far = 77, minus_dims[4] = {-1, -1, -1, -1}, three_dims[4] = {3};
static MPI_Count minus_one_c = -1, far_c = 77;
static MPI_Aint minus_one_a = -1, far_a = 77;
static int ranges_outside[1][3] = {{0, 77, 1}}, ranges_minus[1][3] = {{-1, 0, 1}},
           ranges_still[1][3] = {{0, 0, 0}}, ranges_twice[2][3] = {{0, 0, 1}, {0, 0, 1}};
static char long_text[MPI_MAX_STRINGTAG_LEN + MPI_MAX_INFO_VAL];

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
    MPI_Session_create_errhandler(on_session, &given_session);
    MPI_Session_init(MPI_INFO_NULL, given_session, &session);
    MPI_Comm_create_errhandler(on_given, &given);
}

static void prepare_comms(void)
{
    int rank;
    MPI_Comm half;
    MPI_Group all;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Comm_dup(comm, &buffered);
    MPI_Comm_attach_buffer(buffered, more, sizeof more);
    MPI_Cart_create(comm, 1, ones, zeros, 0, &grid);
    MPI_Graph_create(comm, 1, ones, zeros, 0, &graph);
    MPI_Dist_graph_create_adjacent(comm, 1, zeros, ones, 1, zeros, ones, MPI_INFO_NULL, 0, &net);
    if (ranks < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank ? 0 : 1, 0, &inter);
    MPI_Comm_free(&half);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_difference(all, group, &outside);
    MPI_Group_free(&all);
}

static void prepare_requests(void)
{
    MPI_Recv_init(out, 1, MPI_INT, 0, 1, comm, &inactive);
    MPI_Recv_init(out, 1, MPI_INT, 0, 1, comm, &active);
    MPI_Start(&active);
    MPI_Irecv(out, 1, MPI_INT, 0, 1, comm, &pending);
    message = probed();
}

static void prepare_objects(void)
{
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key_type, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key_win, NULL);
    MPI_Add_error_class(&added_class);
    MPI_Add_error_code(added_class, &added_code);
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(2, MPI_INT, &committed);
    MPI_Type_commit(&committed);
    memset(long_text, 'x', sizeof long_text - 1);
}

/* A control variable whose values have names, and a counter. */
static void prepare_tool(void)
{
    int provided, n, count;
    MPI_T_cvar_handle c;
    MPI_T_pvar_handle v;
    MPI_T_pvar_session s;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    for (n = 0; words == MPI_T_ENUM_NULL; n++)
        MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, &words, NULL, NULL, NULL, NULL);
    MPI_T_cvar_handle_alloc(n - 1, NULL, &cvar, &count);
    MPI_T_cvar_handle_alloc(0, NULL, &c, &count);
    MPI_T_pvar_session_create(&watch);
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle_alloc(watch, 0, NULL, &pvar, &count);
    MPI_T_pvar_handle_alloc(watch, 0, NULL, &v, &count);
    n = sizeof pvar_name;
    MPI_T_pvar_get_info(0, pvar_name, &n, NULL, &pvar_class, NULL, NULL, NULL, NULL, NULL, NULL,
                        NULL, NULL);
    freed_t_cvar_handle = c;
    freed_t_pvar_handle = v;
    freed_t_pvar_session = s;
    MPI_T_cvar_handle_free(&c);
    MPI_T_pvar_handle_free(watch, &v);
    MPI_T_pvar_session_free(&s);
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
    prepare_comms();
    prepare_requests();
    prepare_objects();
    prepare_tool();
    prepare_freed();
    prepare_freed_keys();
    CHECK_EQ(raised, 0);
}

static void finish_requests(void)
{
    MPI_Mrecv(out, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Cancel(&active);
    MPI_Wait(&active, MPI_STATUS_IGNORE);
    MPI_Request_free(&active);
    MPI_Request_free(&inactive);
    MPI_Cancel(&pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
}

/* count: the calls that were to be made. */
static inline int finish(int count)
{
    raised = 0;
    finish_requests();
    MPI_Comm *comms[] = {&net, &graph, &grid, &buffered, &comm, &inter};
    for (int i = 0; i < 5 + (ranks > 1); i++)
        MPI_Comm_free(comms[i]);
    MPI_Group_free(&group);
    if (ranks > 1)
        MPI_Group_free(&outside);
    MPI_Info_free(&info);
    MPI_Type_free(&uncommitted);
    MPI_Type_free(&committed);
    MPI_Errhandler_free(&given);
    MPI_Errhandler_free(&given_session);
    MPI_T_cvar_handle_free(&cvar);
    MPI_T_pvar_session_free(&watch);
    MPI_T_finalize();
    MPI_Session_finalize(&session);
    CHECK_EQ(raised, 0);
    MPI_Finalize();
    CHECK_EQ(calls + skipped, count);
    if (failures)
        fprintf(stderr, "%d of %d calls failed otherwise\n", failures, calls);
    return failures != 0;
}

static const char *name_of(const void *owner)
{
    return owner == NOBODY           ? "nobody"
           : owner == GIVEN          ? "the handler given"
           : owner == MPI_COMM_SELF  ? "MPI_COMM_SELF"
           : owner == MPI_COMM_WORLD ? "MPI_COMM_WORLD"
           : owner == session        ? "the session"
           : owner == comm           ? "the communicator"
                                     : "a communicator";
}

static void judge(const char *what, int got, int class, const void *owner)
{
    int right = owner == NOBODY ? 0 : 1;
    bool known = raised == right && (!right || (raised_on == owner && raised_code == got));
    calls++;
    if (got == class && known)
        return;
    failures++;
    fprintf(stderr, "%s: class %d, should be %d; raised %d times, on %s, should be %s\n", what, got,
            class, raised, raised ? name_of(raised_on) : "nobody", name_of(owner));
}

/* when: are there ranks enough? */
#define BAD(what, when, class, owner, call)                                                        \
    do {                                                                                           \
        raised = 0;                                                                                \
        if (verbose)                                                                               \
            fprintf(stderr, "%s\n", what);                                                         \
        if (when)                                                                                  \
            judge(what, call, class, owner);                                                       \
        else                                                                                       \
            skipped++;                                                                             \
    } while (0)

#endif
