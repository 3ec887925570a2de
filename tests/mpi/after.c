/* SPDX-License-Identifier: MIT */
/* Destructors and functions registered with atexit ask whether MPI is over before they give back
 * what they hold of it: it is, also when they run after the ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static void look(const char *who)
{
    int begun = 0, over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (begun && over)
        return;
    fprintf(stderr, "%s: MPI_Initialized %d, MPI_Finalized %d\n", who, begun, over);
    _exit(9);
}

__attribute__((destructor)) static void destructor(void)
{
    look("a destructor");
}

static void at_exit(void)
{
    look("atexit");
}

int main(int argc, char **argv)
{
    int over = 1;
    MPI_Finalized(&over);
    CHECK_EQ(over, 0);
    atexit(at_exit);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    look("main");
    return 0;
}
