/* SPDX-License-Identifier: MIT */
/* callbacks N: prints how many microseconds each takes: N rounds of a loop; an operation that has
 * as many, in MPI_Reduce_local and for all ranks; an error handler; to combine and pack N numbers.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rounds;

static void compute(void)
{
    for (volatile int i = 0; i < rounds; i++)
        ;
}

static void op(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
    compute();
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    compute();
}

static void say(const char *what, double since)
{
    int rank;
    double now = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%s %.3f\n", what, (now - since) * 1e6);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Op by_hand;
    MPI_Errhandler errors;
    MPI_Datatype apart;
    int one = 1, all, at = 0;
    MPI_Init(&argc, &argv);
    rounds = atoi(argv[1]);
    double *a = calloc((size_t)rounds, 2 * sizeof *a), *b = calloc((size_t)rounds, 2 * sizeof *b);
    MPI_Op_create(op, 1, &by_hand);
    MPI_Comm_create_errhandler(handler, &errors);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errors);
    MPI_Type_vector(rounds, 1, 2, MPI_DOUBLE, &apart);
    MPI_Type_commit(&apart);
    MPI_Barrier(MPI_COMM_WORLD);
    double since = MPI_Wtime();
    compute();
    say("loop", since);
    since = MPI_Wtime();
    MPI_Reduce_local(&one, &all, 1, MPI_INT, by_hand);
    say("local", since);
    since = MPI_Wtime();
    MPI_Allreduce(&one, &all, 1, MPI_INT, by_hand, MPI_COMM_WORLD);
    say("all", since);
    since = MPI_Wtime();
    MPI_Send(&one, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    say("handler", since);
    since = MPI_Wtime();
    MPI_Reduce_local(a, b, rounds, MPI_DOUBLE, MPI_SUM);
    say("sum", since);
    since = MPI_Wtime();
    MPI_Reduce_local(a, b, rounds, MPI_C_FLOAT_COMPLEX, MPI_PROD);
    say("product", since);
    since = MPI_Wtime();
    MPI_Pack(a, 1, apart, b, rounds * 8, &at, MPI_COMM_WORLD);
    say("pack", since);
    return MPI_Finalize();
}
