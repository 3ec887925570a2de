/* SPDX-License-Identifier: MIT */
/* A program that uses its stack, for the tests of mpiexec. stacks WHAT NUMBER... */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, number[3]; /* of the arguments */

static int deep(int kilobytes)
{
    volatile char room[1024];
    room[0] = 0;
    int below = kilobytes == 0 ? 0 : deep(kilobytes - 1);
    return below + room[below]; /* read after the call: each call keeps its room */
}

/* deep KB: uses so much. */
static int do_deep(void)
{
    return deep(number[0]);
}

/* room HELD RANK STACK: all hold so many KB of malloc while one rank uses so many of its stack. */
static int do_room(void)
{
    char *volatile held = malloc((size_t)number[0] << 10);
    MPI_Barrier(MPI_COMM_WORLD);
    int e = rank == number[1] ? deep(number[2]) : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    free(held);
    return held ? e : 1;
}

static int one_frame(size_t n)
{
    volatile char *room = __builtin_alloca(n);
    int ends[2];
    if (pipe(ends) < 0 || write(ends[1], "x", 1) != 1 ||
        read(ends[0], (void *)(uintptr_t)room, n) != 1)
        return 1;
    close(ends[0]);
    close(ends[1]);
    return room[0] != 'x';
}

/* frame KB: a function has so much at once, and the system is the first to write there. */
static int do_frame(void)
{
    return one_frame((size_t)number[0] << 10);
}

/* A function that calls nothing may leave its lowest bytes below where the stack pointer is. */
static __attribute__((noinline)) int leaf(void)
{
    volatile char room[3000 << 10];
    room[0] = 1;
    return room[0] != 1;
}

/* leap RANK: that rank's frame is larger than its whole stack, below which lies that of another. */
static int do_leap(void)
{
    return rank == number[0] ? leaf() : 0;
}

/* forked KB: what a rank forks uses so much. */
static int do_forked(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(deep(number[0]));
    return waitpid(pid, &status, 0) != pid || status != 0;
}

static sigjmp_buf back;

static void jump(int signal)
{
    siglongjmp(back, signal);
}

/* catches KB: the program has a handler for memory signals, as run-time libraries have, uses half
 * of it, makes a mistake, and uses all. */
static int do_catches(void)
{
    struct sigaction now;
    volatile char *volatile nowhere = NULL;
    if (signal(SIGSEGV, jump) == SIG_ERR || sigaction(SIGSEGV, NULL, &now) < 0 ||
        now.sa_handler != jump || deep(number[0] / 2) != 0)
        return 1;
    if (sigsetjmp(back, 1) == 0) {
        nowhere[16] = 1;
        return 1;
    }
    return deep(number[0]);
}

/* shell BYTES: the C library, which blocks all signals in the middle of this, begins so deep. */
static int do_shell(void)
{
    volatile char *room = __builtin_alloca((size_t)number[0]);
    room[0] = 0;
    return system(":");
}

/* blocked KB: uses so much while it wants no signals. */
static int do_blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    return sigprocmask(SIG_BLOCK, &all, NULL) + deep(number[0]);
}

static const struct {
    const char *name;
    int (*run)(void);
} calls[] = {{"deep", do_deep},       {"room", do_room},       {"frame", do_frame},
             {"forked", do_forked},   {"catches", do_catches}, {"shell", do_shell},
             {"blocked", do_blocked}, {"leap", do_leap}};

int main(int argc, char **argv)
{
    int code = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 2; i < argc && i < 5; i++)
        number[i - 2] = atoi(argv[i]);
    for (size_t i = 0; argc > 1 && i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(argv[1], calls[i].name) == 0)
            code = calls[i].run();
    if (code == 0)
        MPI_Finalize();
    return code;
}
