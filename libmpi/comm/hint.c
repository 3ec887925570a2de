/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "comm/hint.h"

static const struct {
    const char *key;
    enum mpi_hint bit;
} hints[] = {{"mpi_assert_no_any_tag", MPI_HINT_NO_ANY_TAG},
             {"mpi_assert_no_any_source", MPI_HINT_NO_ANY_SOURCE},
             {"mpi_assert_exact_length", MPI_HINT_EXACT_LENGTH},
             {"mpi_assert_allow_overtaking", MPI_HINT_OVERTAKING}};

#define COUNT (sizeof hints / sizeof hints[0])

void mpi_hints_take(struct mpi_comm *c, const struct mpi_info *i)
{
    for (size_t h = 0; h < COUNT; h++) {
        const char *value = mpi_info_value(i, hints[h].key);
        if (value && strcmp(value, "true") == 0)
            c->hints |= hints[h].bit;
        else if (value && strcmp(value, "false") == 0)
            c->hints &= ~(unsigned int)hints[h].bit;
    }
}

int mpi_hints_give(struct mpi_process *p, const char *call, struct mpi_comm *c, MPI_Info *info)
{
    struct mpi_info *i = mpi_info_new(p);
    int rc = i ? mpi_info_put(p, i, MPI_INFO_MEMORY_KINDS) : -B_ENOMEM;
    for (size_t h = 0; h < COUNT && !rc; h++)
        rc = mpi_info_put(p, i, hints[h].key, c->hints & hints[h].bit ? "true" : "false");
    if (!rc) {
        *info = (MPI_Info)i;
        return MPI_SUCCESS;
    }
    if (i)
        mpi_info_end(p, i);
    return mpi_error_below(c, rc, call);
}
