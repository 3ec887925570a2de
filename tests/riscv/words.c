/* SPDX-License-Identifier: MIT */
/* What of the C library reads words: numbers in text, letters large or small. All ranks of a
 * cluster share its text, and each has its own variables. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "need.h"

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
    MPI_Finalize();
    return 0;
}
