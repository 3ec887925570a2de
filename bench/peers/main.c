/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

static const struct {
    const char *name;
    int ranks; /* 0: any number */
    void (*run)(struct peers *p);
} part[] = {
    {"pair", 2, peers_pair},   {"coll", 0, peers_coll},       {"icoll", 0, peers_icoll},
    {"types", 2, peers_types}, {"overlap", 2, peers_overlap}, {"programs", 0, peers_programs},
};

enum { PARTS = sizeof part / sizeof *part };

static _Noreturn void leave(const char *why, const char *what)
{
    fprintf(stderr, "peers: %s%s\n", why, what);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static double number(const char *text)
{
    char *rest;
    double value = strtod(text, &rest);

    if (rest == text || *rest || !(value > 0 && value < HUGE_VAL))
        leave("a number above 0 is needed instead of ", text);
    return value;
}

static void take_sizes(struct peers *p, const char *text)
{
    for (const char *at = text; *at;) {
        char *rest;
        unsigned long bytes = strtoul(at, &rest, 10);

        if (!isdigit((unsigned char)*at) || (*rest && *rest != ',') || bytes > INT_MAX ||
            p->sizes == PEERS_SIZES)
            leave("sizes are at most 32 numbers up to 2147483647, with commas between them, not ",
                  text);
        p->size[p->sizes++] = bytes;
        at = *rest ? rest + 1 : rest;
    }
}

static void tell_version(const struct peers *p)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    MPI_Get_library_version(text, &length);
    if (p->rank == 0)
        puts(text);
}

static void measure(struct peers *p, int argc, char **argv)
{
    if (argc != 5 && argc != 6)
        leave("usage: peers PART[:SERIES,...] SECONDS BYTES,BYTES,... MEMORY [SERIES:BYTES,...]",
              "");
    p->seconds = number(argv[2]);
    take_sizes(p, argv[3]);
    p->memory = number(argv[4]);
    p->leave = argc == 6 ? argv[5] : NULL;
    size_t length = strcspn(argv[1], ":");
    p->only = argv[1][length] ? argv[1] + length + 1 : NULL;
    argv[1][length] = '\0';
    int k = 0;
    while (k < PARTS && strcmp(part[k].name, argv[1]) != 0)
        k++;
    if (k == PARTS)
        leave("parts are pair, coll, icoll, types, overlap, programs, not ", argv[1]);
    if (part[k].ranks && part[k].ranks != p->ranks)
        leave("this part needs exactly two ranks: ", argv[1]);
    part[k].run(p);
    if (p->rank == 0)
        printf("end\n");
}

int main(int argc, char **argv)
{
    struct peers p = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    if (argc == 2 && strcmp(argv[1], "version") == 0)
        tell_version(&p);
    else
        measure(&p, argc, argv);
    MPI_Finalize();
    return 0;
}
