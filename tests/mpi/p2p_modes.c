/* SPDX-License-Identifier: MIT */
/* Send modes, persistent and combined operations, probes, generalized requests. Even ranks send to
 * the next odd one; a last one alone talks to itself. */
#include <string.h>

#include "check.h"

#define BIG 20000

struct pair {
    int rank, peer;
    int sends; /* is the one who sends first */
    unsigned char *buf, *other;
};

static void status_is(const MPI_Status *s, int source, int tag, int bytes)
{
    int n;
    MPI_Get_count(s, MPI_BYTE, &n);
    CHECK_EQ(s->MPI_SOURCE, source);
    CHECK_EQ(s->MPI_TAG, tag);
    CHECK_EQ(n, bytes);
}

/* A synchronous send is not complete before its receive has started, however short. */
static void synchronous(const struct pair *p)
{
    static const int bytes[] = {0, 4, 96, BIG};
    for (int i = 0; i < 4; i++) {
        MPI_Request q;
        int flag = 1;
        fill(p->buf, bytes[i], p->rank, i);
        if (p->sends) {
            MPI_Issend(p->buf, bytes[i], MPI_BYTE, p->peer, 1, MPI_COMM_WORLD, &q);
            for (int k = 0; k < 20; k++) {
                MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
                CHECK_EQ(flag, 0);
            }
            MPI_Send(NULL, 0, MPI_BYTE, p->peer, 2, MPI_COMM_WORLD);
            if (p->peer == p->rank) {
                MPI_Recv(NULL, 0, MPI_BYTE, p->peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            MPI_Wait(&q, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Recv(NULL, 0, MPI_BYTE, p->peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_filled(p->other, bytes[i], p->peer, i);
    }
}

/* Buffered sends return, whatever the receiver does. */
static void buffered(const struct pair *p)
{
    int room = 4 * (BIG + MPI_BSEND_OVERHEAD), size;
    void *memory = malloc((size_t)room), *got;
    MPI_Buffer_attach(memory, room);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
            fill(p->buf, BIG - i, p->rank, i);
            MPI_Bsend(p->buf, BIG - i, MPI_BYTE, p->peer, i, MPI_COMM_WORLD);
        }
        for (int i = 3; i >= 0; i--) {
            MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_filled(p->other, BIG - i, p->peer, i);
        }
        MPI_Buffer_flush();
    }
    MPI_Buffer_detach(&got, &size);
    CHECK(got == memory && size == room);
    free(memory);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Bsend(p->buf, BIG, MPI_BYTE, p->peer, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_attach_buffer(MPI_COMM_WORLD, MPI_BUFFER_AUTOMATIC, 0);
    MPI_Bsend(p->buf, BIG, MPI_BYTE, p->peer, 7, MPI_COMM_WORLD);
    MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer(MPI_COMM_WORLD, &got, &size);
    CHECK(got == MPI_BUFFER_AUTOMATIC);
}

/* The buffer of a communicator goes with it, when its messages have left: the next one, which may
 * lie where the old one did, has none. */
static void freed(const struct pair *p)
{
    const int room = BIG + MPI_BSEND_OVERHEAD;
    void *memory = malloc((size_t)room);
    for (int i = 0; i < 4; i++) {
        MPI_Comm comm;
        MPI_Request q;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        CHECK_EQ(MPI_Bsend(p->buf, 1, MPI_BYTE, p->peer, 0, comm), MPI_ERR_BUFFER);
        CHECK_EQ(MPI_Comm_attach_buffer(comm, memory, room), MPI_SUCCESS);
        fill(p->buf, BIG, p->rank, i);
        MPI_Irecv(p->other, BIG, MPI_BYTE, p->peer, 0, comm, &q);
        CHECK_EQ(MPI_Bsend(p->buf, BIG, MPI_BYTE, p->peer, 0, comm), MPI_SUCCESS);
        CHECK_EQ(i % 2 ? MPI_Comm_free(&comm) : MPI_Comm_disconnect(&comm), MPI_SUCCESS);
        memset(memory, 0, (size_t)room);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        check_filled(p->other, BIG, p->peer, i);
    }
    free(memory);
}

static void combined(const struct pair *p)
{
    MPI_Status s;
    MPI_Request q;
    static const int bytes[] = {10, BIG};
    for (int i = 0; i < 2; i++) {
        fill(p->buf, bytes[i], p->rank, i);
        MPI_Sendrecv(p->buf, bytes[i], MPI_BYTE, p->peer, 3, p->other, BIG, MPI_BYTE, p->peer, 3,
                     MPI_COMM_WORLD, &s);
        status_is(&s, p->peer, 3, bytes[i]);
        check_filled(p->other, bytes[i], p->peer, i);
        MPI_Sendrecv_replace(p->buf, bytes[i], MPI_BYTE, p->peer, 4, MPI_ANY_SOURCE, MPI_ANY_TAG,
                             MPI_COMM_WORLD, &s);
        status_is(&s, p->peer, 4, bytes[i]);
        check_filled(p->buf, bytes[i], p->peer, i);
        MPI_Isendrecv_replace(p->buf, bytes[i], MPI_BYTE, p->peer, 5, p->peer, 5, MPI_COMM_WORLD,
                              &q);
        MPI_Wait(&q, &s);
        status_is(&s, p->peer, 5, bytes[i]);
        check_filled(p->buf, bytes[i], p->rank, i);
    }
    memset(p->buf, 9, 4);
    MPI_Sendrecv_replace(p->buf, 4, MPI_BYTE, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                         &s);
    status_is(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK_EQ(p->buf[0], 9);
}

static void persistent(const struct pair *p)
{
    MPI_Request q[3];
    MPI_Status s[3];
    MPI_Send_init(p->buf, 50, MPI_BYTE, p->peer, 6, MPI_COMM_WORLD, &q[0]);
    MPI_Ssend_init(p->buf + 50, BIG - 50, MPI_BYTE, p->peer, 7, MPI_COMM_WORLD, &q[1]);
    MPI_Recv_init(p->other, BIG, MPI_BYTE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &q[2]);
    MPI_Request more;
    MPI_Recv_init(p->other + 50, BIG - 50, MPI_BYTE, p->peer, MPI_ANY_TAG, MPI_COMM_WORLD, &more);
    for (int i = 0; i < 4; i++) {
        int flag;
        fill(p->buf, 50, p->rank, i);
        fill(p->buf + 50, BIG - 50, p->rank, i + 1);
        MPI_Testall(3, q, &flag, MPI_STATUSES_IGNORE); /* inactive */
        CHECK_EQ(flag, 1);
        MPI_Startall(3, q);
        MPI_Wait(&q[2], &s[2]);
        status_is(&s[2], p->peer, 6, 50);
        MPI_Start(&more);
        MPI_Wait(&more, &s[1]);
        status_is(&s[1], p->peer, 7, BIG - 50);
        MPI_Waitall(3, q, s);
        status_is(&s[2], MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
        check_filled(p->other, 50, p->peer, i);
        check_filled(p->other + 50, BIG - 50, p->peer, i + 1);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&q[i]);
    MPI_Request_free(&more);
    CHECK(q[0] == MPI_REQUEST_NULL);
}

/* What a matched probe took, no other probe or receive finds. */
static void probes(const struct pair *p)
{
    static const int bytes[] = {0, 30, BIG};
    MPI_Status s;
    for (int i = 0; i < 3; i++) {
        MPI_Request q[2];
        MPI_Message m;
        int flag = 0;
        fill(p->buf, bytes[i], p->rank, i);
        MPI_Isend(p->buf, bytes[i], MPI_BYTE, p->peer, 8, MPI_COMM_WORLD, &q[0]);
        MPI_Isend(p->buf, bytes[i] / 2, MPI_BYTE, p->peer, 8, MPI_COMM_WORLD, &q[1]);
        MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &s);
        status_is(&s, p->peer, 8, bytes[i]);
        MPI_Iprobe(p->peer, 88, MPI_COMM_WORLD, &flag, &s);
        CHECK_EQ(flag, 0);
        MPI_Mprobe(p->peer, MPI_ANY_TAG, MPI_COMM_WORLD, &m, &s);
        status_is(&s, p->peer, 8, bytes[i]);
        while (!flag)
            MPI_Iprobe(p->peer, 8, MPI_COMM_WORLD, &flag, &s);
        status_is(&s, p->peer, 8, bytes[i] / 2);
        MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, 8, MPI_COMM_WORLD, &s);
        status_is(&s, p->peer, 8, bytes[i] / 2);
        if (i == 1) {
            MPI_Request r;
            MPI_Imrecv(p->other, BIG, MPI_BYTE, &m, &r);
            MPI_Wait(&r, &s);
        } else {
            MPI_Mrecv(p->other, BIG, MPI_BYTE, &m, &s);
        }
        CHECK(m == MPI_MESSAGE_NULL);
        status_is(&s, p->peer, 8, bytes[i]);
        check_filled(p->other, bytes[i], p->peer, i);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Message m;
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &m, &s);
    CHECK(m == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(NULL, 0, MPI_BYTE, &m, &s);
    status_is(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

/* A request whose memory the next one gets. */
static void ends_wrongly(const struct pair *p)
{
    MPI_Request q[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Isend(p->buf, 8, MPI_BYTE, p->peer, 9, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(p->other, 4, MPI_BYTE, p->peer, 9, MPI_COMM_WORLD, &q[1]);
    CHECK_EQ(MPI_Wait(&q[1], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
}

static void cancelled(const struct pair *p)
{
    MPI_Request q;
    MPI_Status s;
    int flag = 0;
    ends_wrongly(p);
    MPI_Irecv(p->other, 4, MPI_BYTE, p->peer, 10, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, &s);
    MPI_Test_cancelled(&s, &flag);
    CHECK_EQ(flag, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* the peer sends only now */
    fill(p->buf, 4, p->rank, 3);
    MPI_Sendrecv(p->buf, 4, MPI_BYTE, p->peer, 10, p->other, 4, MPI_BYTE, p->peer, 10,
                 MPI_COMM_WORLD, &s);
    MPI_Test_cancelled(&s, &flag);
    CHECK_EQ(flag, 0);
    check_filled(p->other, 4, p->peer, 3);
}

/* Sends that nobody receives are taken back, and do not stand in the way of others. */
static void taken_back(const struct pair *p)
{
    static const int bytes[] = {4, BIG, BIG, 0};
    MPI_Request q[4], more;
    MPI_Status s;
    int flag;
    for (int i = 0; i < 4; i++)
        MPI_Issend(p->buf, bytes[i], MPI_BYTE, p->peer, 12 + i % 2, MPI_COMM_WORLD, &q[i]);
    MPI_Cancel(&q[1]);
    MPI_Wait(&q[1], &s);
    MPI_Test_cancelled(&s, &flag);
    CHECK_EQ(flag, 1);
    fill(p->buf, BIG, p->rank, 6);
    MPI_Isend(p->buf, BIG, MPI_BYTE, p->peer, 14, MPI_COMM_WORLD, &more);
    MPI_Recv(p->other, BIG, MPI_BYTE, p->peer, 14, MPI_COMM_WORLD, &s);
    check_filled(p->other, BIG, p->peer, 6);
    MPI_Wait(&more, &s);
    for (int i = 0; i < 4; i++)
        if (q[i] != MPI_REQUEST_NULL)
            MPI_Cancel(&q[i]);
    for (int i = 0; i < 4; i++) {
        MPI_Wait(&q[i], &s);
        MPI_Test_cancelled(&s, &flag);
        CHECK_EQ(flag, i != 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s);
    CHECK_EQ(flag, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One receive of several is too short: the others are received all the same. */
static void truncated(const struct pair *p)
{
    MPI_Request q[6];
    MPI_Status s[6];
    static const int room[] = {100, 10, BIG};
    fill(p->buf, BIG, p->rank, 4);
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(p->other + i * 100, room[i], MPI_BYTE, p->peer, 20 + i, MPI_COMM_WORLD, &q[i]);
        MPI_Isend(p->buf, i == 2 ? BIG : 100, MPI_BYTE, p->peer, 20 + i, MPI_COMM_WORLD, &q[3 + i]);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Waitall(6, q, s), MPI_ERR_IN_STATUS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(s[i].MPI_ERROR, i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        status_is(&s[i], p->peer, 20 + i, room[i]);
    check_filled(p->other, 100, p->peer, 4);
    check_filled(p->other + 100, 10, p->peer, 4);
    check_filled(p->other + 200, BIG, p->peer, 4);
}

/* The program has freed the communicator of messages that are under way; it ends with the last of
 * them, wherever that stands. */
static void communicator_freed(const struct pair *p)
{
    for (int last = 0; last < 3; last++) {
        MPI_Comm c;
        MPI_Request q[3];
        MPI_Status s[3];
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        fill(p->buf, 8, p->rank, last);
        for (int i = 0; i < 3; i++)
            MPI_Irecv(p->other + 8 * i, 8, MPI_BYTE, p->peer, i, i == last ? MPI_COMM_WORLD : c,
                      &q[i]);
        for (int i = 0; i < 3; i++)
            MPI_Send(p->buf, 8, MPI_BYTE, p->peer, i, i == last ? MPI_COMM_WORLD : c);
        MPI_Comm_free(&c);
        CHECK_EQ(MPI_Waitall(3, q, s), MPI_SUCCESS);
        for (int at = 0; at < 3; at++) {
            CHECK(q[at] == MPI_REQUEST_NULL);
            status_is(&s[at], p->peer, at, 8);
            check_filled(p->other + 8 * at, 8, p->peer, last);
        }
    }
}

struct state {
    int queries, frees, cancels;
};

static int query(void *state, MPI_Status *s)
{
    ((struct state *)state)->queries++;
    s->MPI_SOURCE = 4;
    s->MPI_TAG = 5;
    MPI_Status_set_elements(s, MPI_INT, 6);
    MPI_Status_set_cancelled(s, ((struct state *)state)->cancels);
    return MPI_SUCCESS;
}

static int end(void *state)
{
    ((struct state *)state)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    ((struct state *)state)->cancels += 1 + 10 * complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    struct state st = {0};
    MPI_Request q, copy;
    MPI_Status s;
    int flag = 1, n;
    MPI_Grequest_start(query, end, cancel, &st, &q);
    MPI_Test(&q, &flag, &s);
    CHECK_EQ(flag, 0);
    MPI_Grequest_complete(q);
    MPI_Wait(&q, &s);
    CHECK(q == MPI_REQUEST_NULL && st.queries == 1 && st.frees == 1 && st.cancels == 0);
    MPI_Get_elements(&s, MPI_INT, &n);
    CHECK_EQ(n, 6);
    status_is(&s, 4, 5, 24);
    MPI_Grequest_start(query, end, cancel, &st, &q);
    MPI_Cancel(&q);
    MPI_Grequest_complete(q);
    MPI_Test(&q, &flag, &s);
    MPI_Test_cancelled(&s, &n);
    CHECK(flag == 1 && n == 1 && st.cancels == 1 && st.frees == 2);
    MPI_Grequest_start(query, end, cancel, &st, &q);
    copy = q;
    MPI_Request_free(&q);
    CHECK_EQ(st.frees, 2);
    MPI_Grequest_complete(copy);
    CHECK_EQ(st.frees, 3);
}

/* Data with gaps, of which more comes than a mailbox message holds. */
static void gaps(const struct pair *p)
{
    MPI_Datatype every_third;
    MPI_Type_vector(BIG / 3, 1, 3, MPI_BYTE, &every_third);
    MPI_Type_commit(&every_third);
    MPI_Request q[2];
    MPI_Status s;
    fill(p->buf, BIG, p->rank, 8);
    memset(p->other, 0, BIG);
    MPI_Irecv(p->other, 1, every_third, p->peer, 11, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(p->buf, 1, every_third, p->peer, 11, MPI_COMM_WORLD, &q[1]);
    MPI_Type_free(&every_third);
    MPI_Wait(&q[1], &s);
    MPI_Wait(&q[0], &s);
    status_is(&s, p->peer, 11, BIG / 3);
    for (int i = 0; i < BIG / 3 * 3; i++)
        CHECK_EQ(p->other[i], i % 3 ? 0 : byte_of(p->peer, 8, i));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    struct pair p = {rank, rank ^ 1, rank % 2 == 0, malloc(BIG), malloc(BIG + 200)};
    if (p.peer >= size)
        p.peer = rank;
    synchronous(&p);
    buffered(&p);
    freed(&p);
    combined(&p);
    persistent(&p);
    probes(&p);
    cancelled(&p);
    taken_back(&p);
    truncated(&p);
    communicator_freed(&p);
    generalized();
    gaps(&p);
    free(p.buf);
    free(p.other);
    MPI_Finalize();
    return 0;
}
