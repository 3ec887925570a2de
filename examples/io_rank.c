/* SPDX-License-Identifier: MIT */
/* Data that is too large for the compute clusters: a rank on an I/O cluster, beside
 * MPI_COMM_WORLD, reads a file piece by piece and hands the pieces out; the ranks of the world
 * count the letters in them, and the I/O rank prints the sum.
 *     mpicc io_rank.c -o io_rank && mpiexec -n 16 --machine mppa256 --io-rank ./io_rank FILE
 * All ranks, the I/O rank the last, are the set of processes "lwmpi://CHIP". Without --io-rank
 * there is none, and the last rank of the world reads. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define PIECE 1024

/* A communicator of all ranks of the machine. */
static MPI_Comm whole_chip(MPI_Session *session)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    MPI_Group_from_session_pset(*session, "lwmpi://CHIP", &group);
    MPI_Comm_create_from_group(group, "io_rank example", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                               &comm);
    MPI_Group_free(&group);
    return comm;
}

/* Gives a piece to whoever asks, an empty one at the end of the file. */
static int hand_out(MPI_Comm chip, int readers, const char *path)
{
    char piece[PIECE];
    long counts[26] = {0}, sum[26], letters = 0;
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        MPI_Abort(chip, 1);
        return 1;
    }
    for (int left = readers; left > 0;) {
        MPI_Status status;
        int n = (int)fread(piece, 1, sizeof piece, f);
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, chip, &status);
        MPI_Send(piece, n, MPI_BYTE, status.MPI_SOURCE, 0, chip);
        left -= n == 0;
    }
    fclose(f);
    MPI_Reduce(counts, sum, 26, MPI_LONG, MPI_SUM, readers, chip);
    for (int i = 0; i < 26; i++)
        letters += sum[i];
    printf("%ld letters, %ld of them e\n", letters, sum['e' - 'a']);
    return 0;
}

static void count(MPI_Comm chip, int reader)
{
    char piece[PIECE];
    long counts[26] = {0};
    int n;
    do {
        MPI_Status status;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, reader, 0, piece, PIECE, MPI_BYTE, reader, 0, chip,
                     &status);
        MPI_Get_count(&status, MPI_BYTE, &n);
        for (int i = 0; i < n; i++)
            if (piece[i] >= 'a' && piece[i] <= 'z')
                counts[piece[i] - 'a']++;
    } while (n > 0);
    MPI_Reduce(counts, NULL, 26, MPI_LONG, MPI_SUM, reader, chip);
}

int main(int argc, char **argv)
{
    int rank, size, code = 0;
    MPI_Session session;
    MPI_Comm chip = whole_chip(&session);
    MPI_Comm_rank(chip, &rank);
    MPI_Comm_size(chip, &size);
    if (argc < 2) {
        if (rank == 0)
            fprintf(stderr, "usage: io_rank FILE\n");
        code = 2;
    } else if (rank == size - 1) {
        code = hand_out(chip, size - 1, argv[1]);
    } else {
        count(chip, size - 1);
    }
    MPI_Comm_free(&chip);
    MPI_Session_finalize(&session);
    return code;
}
