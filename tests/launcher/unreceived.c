/* SPDX-License-Identifier: MIT */
/* Rank 0 sends the last rank what nobody receives, and waits for it somewhere: unreceived CASE. */
#include <mpi.h>
#include <string.h>

#define BYTES 100000

static char data[BYTES], buffer[BYTES + MPI_BSEND_OVERHEAD];

static void wait_for(MPI_Comm comm, int to)
{
    MPI_Request two[2];
    MPI_Isend(data, 1, MPI_CHAR, to, 8, comm, &two[0]);
    MPI_Isend(data, BYTES, MPI_CHAR, to, 9, comm, &two[1]);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
}

static void exchange(MPI_Comm comm, int to)
{
    MPI_Request both;
    MPI_Isendrecv(data, BYTES, MPI_CHAR, to, 9, NULL, 0, MPI_CHAR, MPI_PROC_NULL, 9, comm, &both);
    MPI_Wait(&both, MPI_STATUS_IGNORE);
}

static void give_up(MPI_Comm comm, int to)
{
    MPI_Request request;
    MPI_Isend(data, BYTES, MPI_CHAR, to, 9, comm, &request);
    MPI_Request_free(&request);
}

/* Rank 0 also waits for its own, so that what is told is not the first that it has sent. */
static void in_a_buffer(MPI_Comm comm, int to)
{
    MPI_Bsend(data, 1, MPI_CHAR, 0, 1, comm);
    MPI_Recv(data, 1, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE);
    MPI_Bsend(data, BYTES - 1000, MPI_CHAR, to, 9, comm);
}

static void session(void)
{
    int rank, size;
    MPI_Session s;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s);
    MPI_Group_from_session_pset(s, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "unreceived", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        give_up(comm, size - 1);
    MPI_Comm_disconnect(&comm);
    MPI_Session_finalize(&s);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int rank, size, n;
    void *p;
    MPI_Comm halo;
    if (strcmp(what, "session") == 0) {
        session();
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    if (strcmp(what, "wait") == 0 && rank == 0)
        wait_for(halo, size - 1);
    if (strcmp(what, "exchange") == 0 && rank == 0)
        exchange(halo, size - 1);
    if ((strcmp(what, "finalize") == 0 || strcmp(what, "free") == 0) && rank == 0)
        give_up(halo, size - 1);
    if (strcmp(what, "free") == 0)
        MPI_Comm_free(&halo);
    if (strcmp(what, "detach") == 0) {
        MPI_Buffer_attach(buffer, sizeof buffer);
        if (rank == 0)
            in_a_buffer(halo, size - 1);
        MPI_Buffer_detach(&p, &n);
    }
    if (strcmp(what, "flush") == 0) {
        MPI_Comm_attach_buffer(halo, buffer, sizeof buffer);
        if (rank == 0)
            in_a_buffer(halo, size - 1);
        MPI_Comm_flush_buffer(halo);
    }
    MPI_Finalize();
    return 0;
}
