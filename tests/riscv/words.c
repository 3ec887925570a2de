/* SPDX-License-Identifier: MIT */
/* What of the C library reads words: numbers in text, letters large or small; and has words for
 * numbers. All ranks of a cluster share its text, and each has its own variables. */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#include "need.h"

/* Each of these finds its answer by a table of where it goes on. */
static void names(void)
{
    need(strcmp(strerror(ENOENT), strerror(ENOMEM)) != 0 && strerror(ENOENT)[0] != '\0',
         "strerror");
    need(strsignal(SIGSEGV)[0] != '\0', "strsignal");
    need(iswctype(L'7', wctype("digit")) && !iswctype(L'7', wctype("alpha")), "iswctype");
}

int main(int argc, char **argv)
{
    char text[64], word[16];
    int rank, number;
    double real;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(text, sizeof text, "%d 2.5 Word%d rest", rank + 7, rank);
    need(sscanf(text, "%d %lf %15s", &number, &real, word) == 3, "sscanf finds three");
    need(number == rank + 7 && real == 2.5, "sscanf reads numbers");
    need(atoi(word + 4) == rank, "sscanf reads a word");
    need(strcasecmp(word, "wORD") > 0 && strncasecmp(word, "wORD", 4) == 0, "strcasecmp");
    need(strcasestr(text, "WORD") == strstr(text, "Word"), "strcasestr");
    names();
    MPI_Finalize();
    return 0;
}
