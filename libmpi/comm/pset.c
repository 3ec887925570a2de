/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/pset.h"

const char *const mpi_psets[MPI_PSETS] = {"mpi://WORLD", "mpi://SELF", "lwmpi://CHIP"};

/* Names of process sets are URIs, whose scheme and host may be written in either case (RFC 3986,
 * 6.2.2.1). */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

const struct mpi_group *mpi_pset(const struct mpi_process *p, const char *name)
{
    const struct mpi_group *groups[MPI_PSETS] = {&p->world.group, &p->self.group, &p->chip};
    for (int i = 0; name && i < MPI_PSETS; i++)
        if (same(name, mpi_psets[i]))
            return groups[i];
    return NULL;
}

int mpi_check_pset(struct mpi_process *p, struct mpi_comm *c, const char *call, const char *name,
                   const struct mpi_group **g)
{
    *g = mpi_pset(p, name);
    if (*g)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_ARG, call, "there is no set of processes \"%s\"", name ? name : "");
}
