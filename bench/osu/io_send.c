/* SPDX-License-Identifier: MIT */
/* Ping-pong between the rank on an I/O cluster and the last compute rank: how long MPI_Send keeps
 * its caller (ho-2015, V-B, table IV).
 *
 *     mpiexec -n 16 --map scatter --machine mppa256 --io-rank osu_io_send from|to
 *
 * from: MPI_Send of the I/O rank is timed; to: that of the other one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 1 << 10, MOST = 256 << 10, WARM = 2, TRIALS = 10 };

/* All ranks of the machine; the one on the I/O cluster is the last. */
static MPI_Comm whole_chip(MPI_Session *session)
{
    MPI_Group group;
    MPI_Comm chip;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    MPI_Group_from_session_pset(*session, "lwmpi://CHIP", &group);
    MPI_Comm_create_from_group(group, "osu_io_send", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &chip);
    MPI_Group_free(&group);
    return chip;
}

/* Seconds of MPI_Send and of one way, as the rank that sends first sees them. */
static void ping_pong(MPI_Comm chip, char *data, int n, int peer, int first, double *send,
                      double *way)
{
    double begin = 0;
    *send = 0;
    for (int i = -WARM; i < TRIALS; i++) {
        begin = i == 0 ? MPI_Wtime() : begin;
        if (!first)
            MPI_Recv(data, n, MPI_CHAR, peer, 1, chip, MPI_STATUS_IGNORE);
        double before = MPI_Wtime();
        MPI_Send(data, n, MPI_CHAR, peer, 1, chip);
        *send += i >= 0 ? (MPI_Wtime() - before) / TRIALS : 0;
        if (first)
            MPI_Recv(data, n, MPI_CHAR, peer, 1, chip, MPI_STATUS_IGNORE);
    }
    *way = (MPI_Wtime() - begin) / (2.0 * TRIALS);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    int from_io = argc == 2 && strcmp(argv[1], "from") == 0, rank, ranks;
    if (!from_io && (argc != 2 || strcmp(argv[1], "to") != 0)) {
        fprintf(stderr, "osu_io_send: one argument, from or to\n");
        return 2;
    }
    MPI_Comm chip = whole_chip(&session);
    MPI_Comm_rank(chip, &rank);
    MPI_Comm_size(chip, &ranks);
    int io = ranks - 1, other = ranks - 2, first = rank == (from_io ? io : other);
    char *data = calloc(1, MOST);
    if (ranks < 2 || !data)
        MPI_Abort(chip, 1);
    if (first)
        printf("# OSU MPI Duration of MPI_Send Test\n# Size         MPI_Send (us)      Latency "
               "(us)\n");
    for (int n = LEAST; n <= MOST && rank >= other; n *= 2) {
        double send, way;
        ping_pong(chip, data, n, rank == io ? other : io, first, &send, &way);
        if (first)
            printf("%-10d%18.3f%18.3f\n", n, send * 1e6, way * 1e6);
    }
    free(data);
    MPI_Comm_free(&chip);
    MPI_Session_finalize(&session);
    return 0;
}
