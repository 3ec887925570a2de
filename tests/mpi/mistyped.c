/* SPDX-License-Identifier: MIT */
/* A message whose elements are not those that the receive asks for: the receiver gets MPI_ERR_TYPE
 * and the bytes, the sender ends as usual, and what comes next is whole; in every mode and by every
 * protocol. Types that say the same in other words are no error, nor are bytes (or unsigned chars),
 * packed data and types of several elements. The first half of the ranks sends to the second. */
#include <string.h>

#include "check.h"
#include "sizes.h"

#define ROOM (SIZE_MAX_TESTED / 16 * 16)

static unsigned char data[ROOM + 16], sink[ROOM + 16];

/* n bytes from the sender as `sent`, with a call of each mode, to the receiver as `wanted`. */
static void send(int mode, int n, MPI_Datatype sent, int peer)
{
    static char attached[ROOM + MPI_BSEND_OVERHEAD + 64];
    MPI_Request q;
    void *memory;
    int size;
    MPI_Type_size(sent, &size);
    n /= size;
    if (mode == 0)
        CHECK_EQ(MPI_Send(data, n, sent, peer, mode, MPI_COMM_WORLD), MPI_SUCCESS);
    if (mode == 1)
        CHECK_EQ(MPI_Ssend(data, n, sent, peer, mode, MPI_COMM_WORLD), MPI_SUCCESS);
    if (mode == 2) {
        MPI_Buffer_attach(attached, sizeof attached);
        CHECK_EQ(MPI_Bsend(data, n, sent, peer, mode, MPI_COMM_WORLD), MPI_SUCCESS);
        MPI_Buffer_detach(&memory, &size);
    }
    if (mode == 3) {
        CHECK_EQ(MPI_Isend(data, n, sent, peer, mode, MPI_COMM_WORLD, &q), MPI_SUCCESS);
        CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    if (mode == 4) {
        MPI_Send_init(data, n, sent, peer, mode, MPI_COMM_WORLD, &q);
        MPI_Start(&q);
        CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_SUCCESS);
        MPI_Request_free(&q);
    }
}

static int receive(int mode, int n, MPI_Datatype wanted, int peer, MPI_Status *s)
{
    MPI_Request q;
    MPI_Message m;
    int size, rc;
    MPI_Type_size(wanted, &size);
    n = (n + size - 1) / size;
    switch (mode) {
    case 0:
        return MPI_Recv(sink, n, wanted, peer, mode, MPI_COMM_WORLD, s);
    case 1:
        MPI_Irecv(sink, n, wanted, peer, mode, MPI_COMM_WORLD, &q);
        return MPI_Wait(&q, s);
    case 2:
        MPI_Mprobe(peer, mode, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
        return MPI_Mrecv(sink, n, wanted, &m, s);
    case 3:
        return MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, sink, n, wanted, MPI_ANY_SOURCE,
                            mode, MPI_COMM_WORLD, s);
    default:
        MPI_Recv_init(sink, n, wanted, peer, MPI_ANY_TAG, MPI_COMM_WORLD, &q);
        MPI_Start(&q);
        rc = MPI_Wait(&q, s);
        MPI_Request_free(&q);
        return rc;
    }
}

static void both(int sends, int peer, int mode, int n, MPI_Datatype sent, MPI_Datatype wanted,
                 int class)
{
    if (sends) {
        send(mode, n, sent, peer);
        return;
    }
    MPI_Status s;
    int bytes;
    memset(sink, 0, sizeof sink);
    CHECK_EQ(receive(mode, n, wanted, peer, &s), n ? class : MPI_SUCCESS);
    CHECK_EQ(s.MPI_SOURCE, peer);
    MPI_Get_count(&s, MPI_BYTE, &bytes);
    CHECK_EQ(bytes, n);
    CHECK_EQ(memcmp(sink, data, (size_t)n), 0);
}

static MPI_Datatype strided, twice, record, ints_record;

static void make_types(void)
{
    MPI_Datatype mixed[2] = {MPI_INT, MPI_FLOAT}, same[2] = {MPI_INT, MPI_UNSIGNED};
    MPI_Aint at[2] = {0, 4};
    int one[2] = {1, 1};
    MPI_Type_vector(2, 1, 1, MPI_INT, &strided);
    MPI_Type_contiguous(2, MPI_DOUBLE, &twice);
    MPI_Type_create_struct(2, one, at, mixed, &record);
    MPI_Type_create_struct(2, one, at, same, &ints_record);
    MPI_Type_commit(&strided);
    MPI_Type_commit(&twice);
    MPI_Type_commit(&record);
    MPI_Type_commit(&ints_record);
}

static void try_all(int sends, int peer)
{
    MPI_Datatype bad[][2] = {
        {MPI_INT, MPI_DOUBLE},      {MPI_INT, MPI_FLOAT},           {MPI_FLOAT, MPI_DOUBLE},
        {MPI_SIGNED_CHAR, MPI_INT}, {MPI_SHORT, MPI_LONG},          {MPI_LOGICAL, MPI_INTEGER},
        {MPI_DOUBLE, MPI_COMPLEX},  {MPI_C_DOUBLE_COMPLEX, twice},  {strided, MPI_FLOAT},
        {twice, MPI_INT64_T},       {ints_record, MPI_UINT64_T},    {MPI_FLOAT_INT, MPI_INT},
        {MPI_2INT, MPI_2REAL},      {MPI_LONG_DOUBLE, MPI_INT64_T}, {MPI_WCHAR, MPI_FLOAT},
    };
    MPI_Datatype good[][2] = {
        {MPI_INT, MPI_UNSIGNED}, {MPI_INT, MPI_INTEGER},  {MPI_BYTE, MPI_DOUBLE},
        {MPI_FLOAT, MPI_PACKED}, {strided, MPI_INT},      {record, MPI_INT},
        {MPI_FLOAT_INT, record}, {MPI_2INT, strided},     {ints_record, MPI_INT32_T},
        {twice, MPI_DOUBLE},     {MPI_CHAR, MPI_UINT8_T}, {MPI_CHARACTER, MPI_CHAR},
        {MPI_LONG, MPI_AINT},    {MPI_REAL, MPI_FLOAT},   {MPI_C_COMPLEX, MPI_COMPLEX},
        {MPI_UINT8_T, MPI_INT},  {record, MPI_UINT8_T},   {MPI_DOUBLE, MPI_UINT8_T},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        both(sends, peer, (int)i % 5, 80, bad[i][0], bad[i][1], MPI_ERR_TYPE);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        both(sends, peer, (int)i % 5, 80, good[i][0], good[i][1], MPI_SUCCESS);
    for (int mode = 0; mode < 5; mode++)
        for (int i = 0; i < SIZES; i++) {
            int n = sizes[i] < ROOM ? sizes[i] / 16 * 16 : ROOM;
            both(sends, peer, mode, n, MPI_INT, MPI_DOUBLE, MPI_ERR_TYPE);
            both(sends, peer, mode, n, twice, strided, MPI_ERR_TYPE);
            both(sends, peer, mode, n, MPI_INT, MPI_INT, MPI_SUCCESS);
        }
    /* too long as well: that is what the receiver is told */
    if (sends)
        CHECK_EQ(MPI_Send(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    else
        CHECK_EQ(MPI_Recv(sink, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                 MPI_ERR_TRUNCATE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), half = world_size() / 2;
    int peer = rank < half ? rank + half : rank - half; /* both near and far, by the mapping */
    if (argc > 1) {                                     /* one mistake, and its message */
        if (rank == 0)
            MPI_Send(data, 2, MPI_INT, 1, 5, MPI_COMM_WORLD);
        else
            MPI_Recv(sink, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < (int)sizeof data; i++)
        data[i] = byte_of(0, 0, i);
    make_types();
    if (rank < 2 * half)
        try_all(rank < half, peer);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&strided);
    MPI_Type_free(&twice);
    MPI_Type_free(&record);
    MPI_Type_free(&ints_record);
    MPI_Finalize();
    return 0;
}
