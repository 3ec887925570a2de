/* SPDX-License-Identifier: MIT */
/* threads N: two threads of rank 0 wait at the same time, N times, for what rank 1 sends late.
 * threads N own: threads of each rank at once, N times, make a communicator and receive from any
 * source. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

static int times;

static void *receive(void *tag)
{
    int x;
    for (int i = 0; i < times; i++)
        MPI_Recv(&x, 1, MPI_INT, 1, *(int *)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

enum { THREADS = 4 };
static struct own {
    int number;
    MPI_Comm comm;
} owns[THREADS];

static void *make_and_receive(void *arg)
{
    const struct own *own = arg;
    MPI_Comm made;
    int rank, sent = 0, received;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < times; i++) {
        MPI_Sendrecv(&sent, 1, MPI_INT, rank, own->number, &received, 1, MPI_INT, MPI_ANY_SOURCE,
                     own->number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_dup(own->comm, &made);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void make_and_receive_at_once(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        owns[i].number = i;
        MPI_Comm_dup(MPI_COMM_SELF, &owns[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, make_and_receive, &owns[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
    int provided, rank, tags[2] = {7, 8};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    times = atoi(argv[1]);
    if (argc > 2) {
        make_and_receive_at_once();
        MPI_Finalize();
        return 0;
    }
    if (rank == 0) {
        pthread_create(&thread, NULL, receive, &tags[0]);
        usleep(2000); /* calls before other ranks on the core go on */
        receive(&tags[1]);
        pthread_join(thread, NULL);
    }
    for (int i = 0; rank == 1 && i < times; i++) {
        usleep(2000);
        MPI_Send(&i, 1, MPI_INT, 0, tags[0], MPI_COMM_WORLD);
        MPI_Send(&i, 1, MPI_INT, 0, tags[1], MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
