/* SPDX-License-Identifier: MIT */
/* Wrong arguments of every point-to-point function and of the functions on requests. */
#include "check.h"

static int buf[4]; /* never written: ranks may share it */

struct wrong {
    const char *what;
    void *buf;
    int count;
    MPI_Datatype type;
    int peer, tag;
    MPI_Comm comm;
    int class;
};

/* Of a persistent or nonblocking function the request must stay as it was. */
static const struct wrong wrongs[] = {
    {"null communicator", buf, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_ERR_COMM},
    {"negative count", buf, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_ERR_COUNT},
    {"null datatype", buf, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, MPI_ERR_TYPE},
    {"null datatype, nobody", buf, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
     MPI_ERR_TYPE},
    {"null buffer", NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_ERR_BUFFER},
    {"rank too large", buf, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD, MPI_ERR_RANK},
    {"negative tag", buf, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, MPI_ERR_TAG},
};
#define WRONGS ((int)(sizeof wrongs / sizeof wrongs[0]))

static void expect(const char *call, const char *what, int got, int want)
{
    int class = -1;
    MPI_Error_class(got, &class);
    if (class != want)
        fprintf(stderr, "%s, %s: class %d, should be %d\n", call, what, class, want);
    CHECK_EQ(class, want);
}

typedef int blocking(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int started(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int receive(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void sends(void)
{
    static blocking *const f[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
    static started *const g[] = {MPI_Isend,     MPI_Issend,     MPI_Ibsend,     MPI_Irsend,
                                 MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
    for (int i = 0; i < WRONGS; i++) {
        const struct wrong *w = &wrongs[i];
        for (int k = 0; k < 4; k++)
            expect("a send", w->what, f[k](w->buf, w->count, w->type, w->peer, w->tag, w->comm),
                   w->class);
        for (int k = 0; k < 8; k++) {
            MPI_Request q = MPI_REQUEST_NULL;
            expect("a started send", w->what,
                   g[k](w->buf, w->count, w->type, w->peer, w->tag, w->comm, &q), w->class);
            CHECK(q == MPI_REQUEST_NULL);
            expect("a started send", "null request",
                   g[k](buf, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
        }
    }
}

static void receives(void)
{
    static receive *const g[] = {MPI_Irecv, MPI_Recv_init};
    for (int i = 0; i < WRONGS; i++) {
        const struct wrong *w = &wrongs[i];
        MPI_Request q = MPI_REQUEST_NULL;
        for (int k = 0; k < 2; k++)
            expect("a receive", w->what,
                   g[k](w->buf, w->count, w->type, w->peer, w->tag, w->comm, &q), w->class);
        expect("MPI_Sendrecv", w->what,
               MPI_Sendrecv(buf, 0, MPI_INT, 0, 0, w->buf, w->count, w->type, w->peer, w->tag,
                            w->comm, MPI_STATUS_IGNORE),
               w->class);
        expect("MPI_Isendrecv_replace", w->what,
               MPI_Isendrecv_replace(w->buf, w->count, w->type, 0, 0, w->peer, w->tag, w->comm, &q),
               w->class);
        CHECK(q == MPI_REQUEST_NULL);
    }
}

static void probes(void)
{
    MPI_Message m = MPI_MESSAGE_NULL;
    MPI_Status s;
    int flag;
    expect("MPI_Iprobe", "communicator", MPI_Iprobe(0, 0, MPI_COMM_NULL, &flag, &s), MPI_ERR_COMM);
    expect("MPI_Probe", "rank", MPI_Probe(-7, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK);
    expect("MPI_Mprobe", "tag", MPI_Mprobe(0, -7, MPI_COMM_WORLD, &m, &s), MPI_ERR_TAG);
    expect("MPI_Improbe", "flag", MPI_Improbe(0, 0, MPI_COMM_WORLD, NULL, &m, &s), MPI_ERR_ARG);
    expect("MPI_Mrecv", "message", MPI_Mrecv(buf, 1, MPI_INT, &m, &s), MPI_ERR_REQUEST);
}

static void requests(void)
{
    long none[8] = {0};
    int data[1] = {0};
    MPI_Request null = MPI_REQUEST_NULL, bad[2] = {MPI_REQUEST_NULL, (MPI_Request)&none[0]}, q;
    MPI_Status s[2];
    int flag, n, indices[2];
    expect("MPI_Wait", "handle", MPI_Wait(&bad[1], s), MPI_ERR_REQUEST);
    expect("MPI_Test", "pointer", MPI_Test(NULL, &flag, s), MPI_ERR_ARG);
    expect("MPI_Waitall", "element", MPI_Waitall(2, bad, s), MPI_ERR_REQUEST);
    expect("MPI_Waitany", "count", MPI_Waitany(-1, bad, &n, s), MPI_ERR_COUNT);
    expect("MPI_Testsome", "array", MPI_Testsome(2, NULL, &n, indices, s), MPI_ERR_REQUEST);
    expect("MPI_Request_free", "null", MPI_Request_free(&null), MPI_ERR_REQUEST);
    expect("MPI_Start", "null", MPI_Start(&null), MPI_ERR_REQUEST);
    expect("MPI_Cancel", "null", MPI_Cancel(&null), MPI_ERR_REQUEST);
    expect("MPI_Grequest_complete", "null", MPI_Grequest_complete(null), MPI_ERR_REQUEST);
    MPI_Irecv(data, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &q);
    expect("MPI_Start", "not persistent", MPI_Start(&q), MPI_ERR_REQUEST);
    MPI_Send(data, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Request freed = q;
    MPI_Wait(&q, s);
    expect("MPI_Wait", "ended request", MPI_Wait(&freed, s), MPI_ERR_REQUEST);
    MPI_Recv_init(data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_SELF, &q);
    MPI_Start(&q);
    expect("MPI_Start", "active", MPI_Start(&q), MPI_ERR_REQUEST);
    MPI_Wait(&q, s);
    MPI_Request_free(&q);
}

static void buffers(void)
{
    void *address;
    int size, room[4];
    expect("MPI_Buffer_attach", "size", MPI_Buffer_attach(room, -1), MPI_ERR_ARG);
    expect("MPI_Buffer_detach", "none", MPI_Buffer_detach(&address, &size), MPI_ERR_BUFFER);
    MPI_Buffer_attach(room, sizeof room);
    expect("MPI_Buffer_attach", "twice", MPI_Buffer_attach(room, sizeof room), MPI_ERR_BUFFER);
    expect("MPI_Bsend", "no room", MPI_Bsend(buf, 4, MPI_INT, 0, 0, MPI_COMM_WORLD),
           MPI_ERR_BUFFER);
    MPI_Buffer_detach(&address, &size);
    CHECK(address == room && size == sizeof room);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    sends();
    receives();
    probes();
    requests();
    buffers();
    MPI_Finalize();
    return 0;
}
