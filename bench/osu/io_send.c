/* SPDX-License-Identifier: MIT */
/* Ping-pong between the rank on an I/O cluster and the last compute rank: how long MPI_Send keeps
 * its caller (ho-2015, V-B, table IV).
 *
 *     mpiexec -n 16 --map scatter --machine mppa256 --io-rank osu_io_send from|to
 *
 * from: MPI_Send of the I/O rank is timed; to: that of the other one. Without --io-rank there is
 * nothing to measure. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 1 << 10, MOST = 256 << 10, WARM = 2, TRIALS = 10 };

/* All ranks of the machine; the one on the I/O cluster is the last, and no rank of the world. */
static MPI_Comm whole_chip(MPI_Session *session, bool *io)
{
    MPI_Group group, world;
    MPI_Comm chip;
    int all, compute;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    MPI_Group_from_session_pset(*session, "lwmpi://CHIP", &group);
    MPI_Group_from_session_pset(*session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(group, "osu_io_send", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &chip);
    MPI_Group_size(group, &all);
    MPI_Group_size(world, &compute);
    *io = all > compute;
    MPI_Group_free(&group);
    MPI_Group_free(&world);
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
    bool there;
    MPI_Comm chip = whole_chip(&session, &there);
    MPI_Comm_rank(chip, &rank);
    MPI_Comm_size(chip, &ranks);
    int io = ranks - 1, other = ranks - 2, first = rank == (from_io ? io : other);
    char *data = calloc(1, MOST);
    if (!there || !data) {
        if (rank == 0)
            fprintf(stderr, "osu_io_send: %s\n",
                    there ? "no memory" : "there is no rank on an I/O cluster: mpiexec --io-rank");
        MPI_Abort(chip, 2);
    }
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
