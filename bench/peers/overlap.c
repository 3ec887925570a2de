/* SPDX-License-Identifier: MIT */
/* Two ranks exchange messages alone, and behind computing that does not enter MPI: each rank looks
 * at its clock until 3 ms are over, as the OSU benchmarks do. So a helper that takes a processor
 * away meanwhile is not seen; what is seen is what of the exchange is left for the wait. */
#include <stdlib.h>
#include <string.h>

#include "peers.h"

struct exchange {
    int rank, bytes;
    char *out, *in;
    double work; /* seconds between start and wait */
};

static void exchange(void *arg, int times)
{
    struct exchange *e = arg;
    int peer = 1 - e->rank;

    for (int i = 0; i < times; i++) {
        MPI_Request request[2];

        MPI_Irecv(e->in, e->bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(e->out, e->bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &request[1]);
        for (double end = MPI_Wtime() + e->work; e->work > 0 && MPI_Wtime() < end;)
            ;
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
}

void peers_overlap(struct peers *p)
{
    static const struct {
        const char *name;
        double work;
    } row[] = {{"alone", 0}, {"behind 3 ms", 3e-3}};

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < p->sizes; i++) {
            size_t bytes = p->size[i];

            if (!peers_wanted(p, row[k].name, bytes, 2.0 * (double)bytes))
                continue;
            struct exchange e = {.rank = p->rank,
                                 .bytes = (int)bytes,
                                 .out = peers_memory(bytes),
                                 .in = peers_memory(bytes),
                                 .work = row[k].work};
            memset(e.in, 0, bytes);
            peers_point(p, row[k].name, bytes, exchange, &e, 1);
            peers_check(memcmp(e.in, e.out, bytes) == 0, row[k].name, bytes);
            free(e.out);
            free(e.in);
        }
}
