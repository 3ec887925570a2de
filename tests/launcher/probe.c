/* SPDX-License-Identifier: MIT */
/* A program with many endings, for the tests of mpiexec. probe WHAT [ARGUMENTS]; no globals. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct call {
    int rank, size;
    char **argument; /* after WHAT */
};

static int number(const struct call *c, int i)
{
    return c->argument[i] ? atoi(c->argument[i]) : 0;
}

static int do_hello(const struct call *c)
{
    printf("rank %d of %d\n", c->rank, c->size);
    return 0;
}

/* exit CODE RANK HOW: all finish, RANK with a code, through exit (0) or _exit (1). */
static int do_exit(const struct call *c)
{
    MPI_Finalize();
    printf("rank %d done\n", c->rank);
    if (c->rank == number(c, 1))
        (number(c, 2) ? _exit : exit)(number(c, 0));
    return 0;
}

static void *leave(void *code)
{
    exit(*(int *)code);
}

/* quit CODE RANK HOW: RANK ends without MPI_Finalize while the others wait: by exit (0), _exit (1),
 * quick_exit (2), exit in a thread of its own (3), or pthread_exit (4). */
static int do_quit(const struct call *c)
{
    static void (*const ends[])(int) = {exit, _exit, quick_exit};
    int code = number(c, 0), how = number(c, 2);
    pthread_t thread;
    if (c->rank == number(c, 1) && how < 3)
        ends[how](code);
    if (c->rank == number(c, 1) && how == 4)
        pthread_exit(NULL);
    if (c->rank == number(c, 1)) {
        pthread_create(&thread, NULL, leave, &code);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* crash SIGNAL RANK, with a line before; the others wait. */
static int do_crash(const struct call *c)
{
    printf("rank %d lives\n", c->rank);
    if (c->rank == number(c, 1))
        raise(number(c, 0));
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* greedy SIGNAL: the last rank asks for 64 MB, then dies of the signal, or of MPI_Abort
 * if it is 0. */
static int do_greedy(const struct call *c)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    void *volatile much = malloc((size_t)64 << 20);
    if (c->rank == ranks - 1 && number(c, 0) != 0)
        raise(number(c, 0));
    if (c->rank == ranks - 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    free(much);
    return 0;
}

/* matrix N: what High Performance Linpack allocates for N equations on a square grid of ranks, each
 * its part of the matrix and of the right side; it skips a case for which one has no memory. */
static int do_matrix(const struct call *c)
{
    int side = 1, failed, any;
    while ((side + 1) * (side + 1) <= c->size)
        side++;
    size_t part = ((size_t)number(c, 0) + (size_t)side - 1) / (size_t)side;
    double *volatile a = malloc((part * (part + 1) + part) * sizeof *a);
    failed = !a;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (c->rank == 0)
        printf("%s\n", any > 0 ? "Memory allocation failed for A, x and b. Skip." : "allocated");
    free(a);
    return 0;
}

/* fill: takes what the cluster has, to the last word; then there are no pages for MPI either, and
 * some again when all is given back. */
static int do_fill(const struct call *c)
{
    struct link {
        struct link *next;
    } *all = NULL, *one;
    size_t bytes = 0;
    void *page = NULL;
    (void)c;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t n = 1 << 16; n >= sizeof *all; n /= 2) {
        while ((one = malloc(n))) {
            one->next = all;
            all = one;
            bytes += n;
        }
    }
    bool full = MPI_Alloc_mem(1 << 14, MPI_INFO_NULL, &page) != MPI_SUCCESS;
    while ((one = all)) {
        all = one->next;
        free(one);
    }
    bool again = MPI_Alloc_mem(1 << 14, MPI_INFO_NULL, &page) == MPI_SUCCESS;
    printf("%zu bytes, %s, %s\n", bytes, full ? "full" : "not full", again ? "again" : "gone");
    return 0;
}

/* abort CODE RANK */
static int do_abort(const struct call *c)
{
    if (c->rank == number(c, 1))
        MPI_Abort(MPI_COMM_WORLD, number(c, 0));
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* hang: rank 0 waits for a message that never comes, the others in a barrier. */
static int do_hang(const struct call *c)
{
    int x;
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    if (c->rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* crossed: ranks 0 and 1 wait for messages of each other, of which one has another tag. */
static int do_crossed(const struct call *c)
{
    int x = 0;
    if (c->rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (c->rank < 2)
        MPI_Recv(&x, 1, MPI_INT, 1 - c->rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* partly: each of two ranks waits for two messages, of which one comes, to rank 1 when it waits. */
static int do_partly(const struct call *c)
{
    int x[3] = {0};
    MPI_Request two[2];
    MPI_Irecv(&x[0], 1, MPI_INT, 1 - c->rank, 3, MPI_COMM_WORLD, &two[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 1 - c->rank, 4, MPI_COMM_WORLD, &two[1]);
    if (c->rank == 0)
        usleep(100000);
    MPI_Send(&x[2], 1, MPI_INT, 1 - c->rank, 3, MPI_COMM_WORLD);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    return 0;
}

/* anybody: rank 0 receives one message more from anybody than is sent; the others end. */
static int do_anybody(const struct call *c)
{
    int x = 0;
    for (int i = 0; c->rank == 0 && i < c->size; i++)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (c->rank > 0)
        MPI_Send(&x, 1, MPI_INT, 0, c->rank, MPI_COMM_WORLD);
    return 0;
}

/* spinning: as crossed, with ranks that ask again and again. */
static int do_spinning(const struct call *c)
{
    int x, flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->rank == 1)
        MPI_Irecv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
    while (c->rank == 0 && !flag)
        MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    while (c->rank == 1 && !flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    return 0;
}

/* many N: ranks 0 and 1 have N messages each way under way at once, an odd number, and end them in
 * another order. */
static int do_many(const struct call *c)
{
    int n = number(c, 0), x[2] = {0};
    MPI_Request *r = calloc(2 * (size_t)n, sizeof *r);
    for (int i = 0; i < n; i++)
        MPI_Irecv(&x[0], 0, MPI_INT, 1 - c->rank, i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < n; i++)
        MPI_Isend(&x[1], 0, MPI_INT, 1 - c->rank, i, MPI_COMM_WORLD, &r[n + i]);
    for (int i = 0; i < 2 * n; i++)
        MPI_Wait(&r[i * 2 % (2 * n) + i / n], MPI_STATUS_IGNORE);
    free(r);
    return 0;
}

/* looks N: rank 1 looks N times for what rank 0 sends before it takes it. */
static int do_looks(const struct call *c)
{
    int x = 0;
    for (int i = 0; i < number(c, 0); i++) {
        if (c->rank == 0)
            MPI_Send(&x, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        if (c->rank == 1) {
            MPI_Probe(0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&x, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return 0;
}

/* turns N: ranks 0 and 1 send each other a number, in turn, N times, after a microsecond or so. */
static int do_turns(const struct call *c)
{
    int x = 0;
    for (int i = 0; i < 2 * number(c, 0); i++) {
        for (volatile int k = 0; i % 2 == c->rank && k < 1000; k++)
            ;
        if (i % 2 == c->rank)
            MPI_Send(&x, 1, MPI_INT, 1 - c->rank, 5, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_INT, 1 - c->rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return 0;
}

/* ring: each waits for the next one. */
static int do_ring(const struct call *c)
{
    int x = 0, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv(&x, 1, MPI_INT, (c->rank + 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return x;
}

/* late N: N barriers and sums of halves; rank 1 comes last to each. */
static int do_late(const struct call *c)
{
    int x[250] = {0};
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, c->rank % 2, c->rank, &half);
    for (int i = 0; i < number(c, 0); i++) {
        if (c->rank == 1)
            usleep(5000);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, half);
        if (c->rank == 0)
            MPI_Send(x, 250, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (c->rank == 1)
            MPI_Recv(x, 250, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&half);
    return 0;
}

/* uneven HOW N: rank 0 works 2 ms, the others 1.5 ms at 400 MHz, N times, each time before a
 * barrier (0), or before each sends to the next one and receives from the one before (1). */
static int do_uneven(const struct call *c)
{
    int n, x = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < number(c, 1); i++) {
        MPI_Pcontrol(MPIX_PCONTROL_WORK, c->rank == 0 ? 800e3 : 600e3);
        if (number(c, 0) == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Sendrecv(&c->rank, 1, MPI_INT, (c->rank + 1) % n, 0, &x, 1, MPI_INT,
                         (c->rank + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return 0;
}

static void nap(bool sleeps)
{
    if (sleeps)
        usleep(5000);
}

/* waits HOW N: ranks 0 and 1 exchange N messages of 128 KB. Late is the sender (0), with receives
 * of any source ended by Waitall (1), the receiver of synchronous messages (2) or persistent ones
 * (3), the root of a broadcast (4), a leaf of a reduction (5), a sender that is probed for (6),
 * nobody (7), a receiver that asks for any source (8), a maker of a communicator (9). */
static bool meets(int how)
{
    return how == 4 || how == 5 || how == 9;
}

static void meet_late(int rank, int how, char *data, int size)
{
    int sum = 0, dims = 2, periods = 0;
    MPI_Comm grid;
    MPI_Barrier(MPI_COMM_WORLD);
    nap(rank == (how == 4 ? 0 : 1));
    if (how == 4) {
        MPI_Bcast(data, size, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (how == 5) {
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else {
        MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &grid);
        MPI_Comm_free(&grid);
    }
}

static int do_waits(const struct call *c)
{
    enum { SIZE = 131072 };
    char *data = calloc(1, SIZE);
    int how = number(c, 0), n = number(c, 1);
    bool sends = c->rank == 0, late_receiver = how == 2 || how == 3 || how == 8;
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Message message;
    if (how == 3 && sends)
        MPI_Send_init(data, SIZE, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &q[0]);
    for (int i = 0; i < n && c->rank < 2 && !meets(how); i++) {
        MPI_Sendrecv(NULL, 0, MPI_INT, !c->rank, 1, NULL, 0, MPI_INT, !c->rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE); /* both begin at once */
        nap(how != 7 && sends != late_receiver);
        if (sends && how == 3) {
            MPI_Start(&q[0]);
            MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        } else if (sends && how == 2) {
            MPI_Ssend(data, SIZE, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
        } else if (sends) {
            MPI_Send(data, SIZE, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
        } else if (how == 1) {
            MPI_Irecv(data, SIZE, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q[1]);
            MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        } else if (how == 6) {
            MPI_Mprobe(0, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(data, SIZE, MPI_CHAR, &message, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(data, SIZE, MPI_CHAR, how == 8 ? MPI_ANY_SOURCE : 0, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
    }
    for (int i = 0; i < n && meets(how); i++)
        meet_late(c->rank, how, data, SIZE);
    if (how == 3 && sends)
        MPI_Request_free(&q[0]);
    free(data);
    return 0;
}

/* credit N: rank 0 sends N messages of 16 bytes, of which rank 1 asks for none before 50 ms. */
static int do_credit(const struct call *c)
{
    char data[16] = {0};
    MPI_Barrier(MPI_COMM_WORLD);
    if (c->rank == 1)
        usleep(50000);
    for (int i = 0; i < number(c, 0); i++) {
        if (c->rank == 0)
            MPI_Send(data, sizeof data, MPI_CHAR, 1, i % 3, MPI_COMM_WORLD);
        if (c->rank == 1)
            MPI_Recv(data, sizeof data, MPI_CHAR, 0, i % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return 0;
}

/* silent HOW: rank 1 is stopped (0), computes (1), or does so and takes no signal (2). */
static int do_silent(const struct call *c)
{
    sigset_t all;
    sigfillset(&all);
    if (c->rank == 1 && number(c, 0) == 0)
        raise(SIGSTOP);
    if (c->rank == 1 && number(c, 0) == 2)
        sigprocmask(SIG_BLOCK, &all, NULL);
    for (volatile long i = 0; c->rank == 1; i++)
        ;
    return do_hang(c);
}

/* busy: rank 1 computes, the others wait for it. */
static int do_busy(const struct call *c)
{
    for (volatile long i = 0; c->rank == 1; i++)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* loop: barriers without end. */
static int do_loop(const struct call *c)
{
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    while (c->size > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* flood LINES: lines of 100 bytes that name rank and number. */
static int do_flood(const struct call *c)
{
    int lines = number(c, 0);
    for (int i = 0; i < lines; i++)
        printf("%04d %08d %*d\n", c->rank, i, 85, i % 7);
    return 0;
}

/* pieces ROUNDS: lines in three pieces with a barrier between them. */
static int do_pieces(const struct call *c)
{
    for (int i = 0; i < number(c, 0); i++) {
        printf("<%d", c->rank);
        MPI_Barrier(MPI_COMM_WORLD);
        printf(" %d", i);
        fprintf(stderr, "(%d", c->rank);
        MPI_Barrier(MPI_COMM_WORLD);
        printf(" %d>\n", c->rank);
        fprintf(stderr, ")\n");
    }
    printf("[%d", c->rank);
    return 0;
}

/* input: who can read standard input, and how much of it. */
static int do_input(const struct call *c)
{
    long n = 0;
    if (c->rank == 0 || c->argument[0])
        while (getchar() != EOF)
            n++;
    printf("rank %d read %ld\n", c->rank, n);
    return 0;
}

static int do_arguments(const struct call *c)
{
    char where[4096];
    const char *value = getenv("PROBE");
    for (int i = 0; c->argument[i]; i++) {
        printf("%d: %s\n", c->rank, c->argument[i]);
        memset(c->argument[i], '!', strlen(c->argument[i])); /* its own copy */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%d: PROBE=%s in %s\n", c->rank, value ? value : "",
           getcwd(where, sizeof where) ? where : "?");
    return 0;
}

/* child: leaves a child process behind and waits. */
static int do_child(const struct call *c)
{
    if (c->rank == 0 && fork() == 0) {
        signal(SIGINT, SIG_IGN);
        for (;;)
            pause();
    }
    return do_hang(c);
}

/* progress: a bar on a terminal, as a program would draw it. */
static int do_progress(const struct call *c)
{
    for (int i = 1; c->rank == 0 && isatty(fileno(stderr)) && i <= 3; i++)
        fprintf(stderr, "\r%d of 3", i);
    return 0;
}

/* fork HOW: every rank makes a child that ends by exit (0), _exit (1) or by leaving main (2). */
static int do_fork(const struct call *c)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        printf("child of rank %d\nthe", c->rank);
        printf(" end\n");
        if (number(c, 0) == 0)
            exit(3);
        if (number(c, 0) == 1)
            _exit(3);
        return 3;
    }
    waitpid(pid, &status, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %d\n", c->rank, WEXITSTATUS(status));
    return 0;
}

/* start [WHAT [ARGUMENTS]]: runs a program of one rank, which is a job of its own. */
static int do_start(const struct call *c)
{
    char command[4096 + 64];
    const char *what = c->argument[0] ? "" : "hello";
    int n = snprintf(command, sizeof command, "'%s' %s", c->argument[-2], what);
    for (int i = 0; c->argument[i]; i++)
        n += snprintf(command + n, sizeof command - (size_t)n, " %s", c->argument[i]);
    return c->rank == 0 ? WEXITSTATUS(system(command)) : 0;
}

static void at_end(void)
{
    printf("atexit ran\n");
    fflush(stdout);
}

static int do_atexit(const struct call *c)
{
    if (c->rank == 0)
        atexit(at_end);
    return 0;
}

/* messages: rank 0 sends a short and a long one to rank 1. */
static int do_messages(const struct call *c)
{
    enum { LONG = 8 * 10000 };
    char *data = calloc(1, LONG);
    for (int n = 8; n <= LONG; n *= 10000)
        if (c->rank == 0)
            MPI_Send(data, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        else if (c->rank == 1)
            MPI_Recv(data, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(data);
    return 0;
}

/* about ANYTHING: which program this is, and what mpiexec told it. */
static int do_about(const struct call *c)
{
    int flag, *program, *universe, ranks, sum;
    char here[512], processors[256] = "";
    cpu_set_t set;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
    ranks = 1 << c->rank;
    MPI_Allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sched_getaffinity(0, sizeof set, &set);
    for (size_t i = 0, n = 0; i < CPU_SETSIZE && n < sizeof processors - 8; i++)
        if (CPU_ISSET(i, &set))
            n += (size_t)sprintf(processors + n, n == 0 ? "%zu" : ",%zu", i);
    printf("%d %s program %d universe %d sum %d folder %s variable %s argument %s processors %s\n",
           c->rank, PROGRAM, *program, flag ? *universe : -1, sum, getcwd(here, sizeof here),
           !getenv("PROBE") ? "-" : getenv("PROBE"), c->argument[0] ? c->argument[0] : "-",
           processors);
    return 0;
}

/* variables NAME...: their values in the environment. */
static int do_variables(const struct call *c)
{
    char line[512];
    int n = snprintf(line, sizeof line, "%d:", c->rank);
    for (int i = 0; c->argument[i]; i++) {
        const char *value = getenv(c->argument[i]);
        n += snprintf(line + n, sizeof line - (size_t)n, " %s", value ? value : "-");
    }
    puts(line);
    return 0;
}

/* chip: which program each rank of the machine runs, also one beside the world. */
static int do_chip(const struct call *c)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm chip;
    int rank;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "lwmpi://CHIP", &group);
    MPI_Comm_create_from_group(group, "probe", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &chip);
    MPI_Comm_rank(chip, &rank);
    printf("%d %s world %d\n", rank, PROGRAM, c->size);
    MPI_Barrier(chip);
    MPI_Group_free(&group);
    MPI_Comm_free(&chip);
    MPI_Session_finalize(&session);
    return 0;
}

/* compute TELLS: rank 1 computes for some tenths of a second, and tells how much that is or not. */
static int do_compute(const struct call *c)
{
    volatile double sum = 0;
    for (int i = 0; c->rank == 1 && i < 100000000; i++)
        sum += i;
    if (number(c, 0) != 0)
        MPI_Pcontrol(MPIX_PCONTROL_WORK, 1e6);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

/* signals DEAF: says which signals come until SIGTERM, after which it has something to do; DEAF: to
 * which it does not listen. */
static int do_signals(const struct call *c)
{
    sigset_t some;
    int got = 0;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigaddset(&some, SIGUSR2);
    sigaddset(&some, SIGTERM);
    sigprocmask(SIG_BLOCK, &some, NULL);
    printf("pid %d\n", (int)getpid());
    while (number(c, 0) != 0)
        pause();
    while (got != SIGTERM && sigwait(&some, &got) == 0) {
        printf("rank %d: signal %d\n", c->rank, got);
        fflush(stdout);
    }
    usleep(200000);
    printf("rank %d: saved\n", c->rank);
    return 0;
}

/* The first rank counts the mappings that the process has of this program. */
static int do_mappings(const struct call *c)
{
    char line[512];
    int count = 0;
    FILE *f = c->rank == 0 ? fopen("/proc/self/maps", "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        count += strstr(line, "probe") || strstr(line, "lwmpi-program");
    if (c->rank == 0)
        printf("%d mappings\n", count);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(const struct call *c);
} calls[] = {
    {"hello", do_hello},       {"exit", do_exit},           {"quit", do_quit},
    {"crash", do_crash},       {"abort", do_abort},         {"hang", do_hang},
    {"crossed", do_crossed},   {"spinning", do_spinning},   {"ring", do_ring},
    {"partly", do_partly},     {"anybody", do_anybody},     {"busy", do_busy},
    {"late", do_late},         {"waits", do_waits},         {"many", do_many},
    {"turns", do_turns},       {"credit", do_credit},       {"flood", do_flood},
    {"pieces", do_pieces},     {"input", do_input},         {"args", do_arguments},
    {"child", do_child},       {"atexit", do_atexit},       {"progress", do_progress},
    {"loop", do_loop},         {"start", do_start},         {"fill", do_fill},
    {"fork", do_fork},         {"messages", do_messages},   {"about", do_about},
    {"chip", do_chip},         {"variables", do_variables}, {"silent", do_silent},
    {"compute", do_compute},   {"signals", do_signals},     {"greedy", do_greedy},
    {"mappings", do_mappings}, {"matrix", do_matrix},       {"uneven", do_uneven},
    {"looks", do_looks},
};

int main(int argc, char **argv)
{
    struct call c;
    int done;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.size);
    c.argument = argv + 2;
    for (size_t i = 0; argc > 1 && i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(argv[1], calls[i].name) == 0) {
            pid_t me = getpid();
            int code = calls[i].run(&c);
            if (getpid() != me)
                return code;
            MPI_Finalized(&done);
            if (!done)
                MPI_Finalize();
            return code;
        }
    }
    return 2;
}
