/* SPDX-License-Identifier: MIT */
/* Every wrong argument gives its error class, through the right handler. Defect 1 of the
 * ancestor: the checks were there but their results were overwritten, so invalid handles were
 * used. */
#include <stdint.h>

#include "check.h"

static const int buf[4];

struct wrong {
    const char *what;
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    int peer, tag;
    MPI_Comm comm;
    int class;
};

/* For Send and Recv alike. */
static const struct wrong both[] = {
    {"null communicator", buf, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_ERR_COMM},
    {"a datatype as communicator", buf, 1, MPI_INT, 0, 0, (MPI_Comm)MPI_INT, MPI_ERR_COMM},
    {"unknown predefined communicator", buf, 1, MPI_INT, 0, 0, (MPI_Comm)0x103, MPI_ERR_COMM},
    {"odd handle", buf, 1, MPI_INT, 0, 0, (MPI_Comm)0x12345677, MPI_ERR_COMM},
    {"zero handle", buf, 1, MPI_INT, 0, 0, (MPI_Comm)0, MPI_ERR_COMM},
    {"negative count", buf, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_ERR_COUNT},
    {"null datatype", buf, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, MPI_ERR_TYPE},
    {"an operation as datatype", buf, 1, (MPI_Datatype)MPI_SUM, 0, 0, MPI_COMM_WORLD, MPI_ERR_TYPE},
    {"hole in the table of datatypes", buf, 1, (MPI_Datatype)0x204, 0, 0, MPI_COMM_WORLD,
     MPI_ERR_TYPE},
    {"null buffer", NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_ERR_BUFFER},
    {"rank too large", buf, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD, MPI_ERR_RANK},
    {"negative rank", buf, 1, MPI_INT, -17, 0, MPI_COMM_WORLD, MPI_ERR_RANK},
    {"rank beyond MPI_COMM_SELF", buf, 1, MPI_INT, 1, 0, MPI_COMM_SELF, MPI_ERR_RANK},
    {"negative tag", buf, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, MPI_ERR_TAG},
};

static const struct wrong only_send[] = {
    {"any source as destination", buf, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_ERR_RANK},
    {"any tag", buf, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_ERR_TAG},
    {"in place", MPI_IN_PLACE, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_ERR_BUFFER},
};

static void expect(const char *what, int got, int want)
{
    int class = -1;
    MPI_Error_class(got, &class);
    if (class != want)
        fprintf(stderr, "%s: class %d, should be %d\n", what, class, want);
    CHECK_EQ(class, want);
}

static void wrong_sends(const struct wrong *w, int n)
{
    for (int i = 0; i < n; i++, w++) {
        expect(w->what, MPI_Send(w->buf, (int)w->count, w->type, w->peer, w->tag, w->comm),
               w->class);
        expect(w->what, MPI_Send_c(w->buf, w->count, w->type, w->peer, w->tag, w->comm), w->class);
        expect(w->what, PMPI_Send(w->buf, (int)w->count, w->type, w->peer, w->tag, w->comm),
               w->class);
    }
}

static void wrong_receives(const struct wrong *w, int n)
{
    MPI_Status status;
    for (int i = 0; i < n; i++, w++) {
        void *to = (void *)(uintptr_t)w->buf;
        expect(w->what, MPI_Recv(to, (int)w->count, w->type, w->peer, w->tag, w->comm, &status),
               w->class);
        expect(w->what, MPI_Recv_c(to, w->count, w->type, w->peer, w->tag, w->comm, &status),
               w->class);
    }
}

static void wrong_objects(void)
{
    int n;
    MPI_Group group, stale;
    MPI_Errhandler none = MPI_ERRHANDLER_NULL;
    expect("rank of null", MPI_Comm_rank(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    expect("size of null", MPI_Comm_size(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    expect("rank to null", MPI_Comm_rank(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    expect("size to null", MPI_Comm_size(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    expect("group of null", MPI_Comm_group(MPI_COMM_NULL, &group), MPI_ERR_COMM);
    expect("group to null", MPI_Comm_group(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    expect("compare", MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_NULL, &n), MPI_ERR_COMM);
    expect("barrier of null", MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    expect("null group", MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    expect("null group", MPI_Group_rank(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    stale = group;
    MPI_Group_free(&group);
    expect("freed twice", MPI_Group_free(&group), MPI_ERR_GROUP);
    expect("freed group", MPI_Group_rank(stale, &n), MPI_ERR_GROUP);
    expect("group pointer", MPI_Group_free(NULL), MPI_ERR_ARG);
    expect("null handler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, none), MPI_ERR_ERRHANDLER);
    expect("free null handler", MPI_Errhandler_free(&none), MPI_ERR_ERRHANDLER);
    expect("size of no type", MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    expect("code", MPI_Error_class(16000, &n), MPI_ERR_ARG);
    expect("code", MPI_Error_class(-1, &n), MPI_ERR_ARG);
    expect("work", MPI_Pcontrol(MPIX_PCONTROL_WORK, -1.0), MPI_ERR_ARG);
    expect("init twice", MPI_Init(NULL, NULL), MPI_ERR_OTHER);
    expect("not written", MPI_Open_port(MPI_INFO_NULL, (char[MPI_MAX_PORT_NAME]){0}),
           MPI_ERR_UNSUPPORTED_OPERATION);
}

/* Values that are no handles: of another kind, not aligned, memory of the program, no memory. */
static void foreign_handles(void)
{
    long local[4] = {0};
    void *const wrong[] = {MPI_INT,           (void *)0x7777,      (char *)local + 1,        local,
                           (void *)0xdead000, (void *)UINTPTR_MAX, (void *)(UINTPTR_MAX - 7)};
    int n;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect("no comm", MPI_Comm_rank((MPI_Comm)wrong[i], &n), MPI_ERR_COMM);
        expect("no group", MPI_Group_size((MPI_Group)wrong[i], &n), MPI_ERR_GROUP);
        if (i > 0)
            expect("no type", MPI_Type_size((MPI_Datatype)wrong[i], &n), MPI_ERR_TYPE);
        expect("no handler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, (MPI_Errhandler)wrong[i]),
               MPI_ERR_ERRHANDLER);
    }
}

static void large_counts(void)
{
    MPI_Count huge = INT64_MAX / 2;
    expect("more than memory", MPI_Send_c(buf, huge, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD),
           MPI_ERR_COUNT);
    MPI_Count n = -1;
    MPI_Type_size_c(MPI_DOUBLE, &n);
    CHECK_EQ(n, 8);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    wrong_sends(both, (int)(sizeof both / sizeof both[0]));
    wrong_sends(only_send, (int)(sizeof only_send / sizeof only_send[0]));
    wrong_receives(both, (int)(sizeof both / sizeof both[0]));
    wrong_objects();
    foreign_handles();
    large_counts();
    CHECK_EQ(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
