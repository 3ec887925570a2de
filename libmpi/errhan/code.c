/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "errhan/code.h"

int mpi_code_add(struct mpi_process *p, const char *call, int class, int *number)
{
    struct mpi_code *c = mpi_alloc(p, sizeof *c);
    if (!c)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    c->number = ++p->last_code;
    c->class = class == MPI_CODE_OWN_CLASS ? c->number : class;
    c->next = p->codes;
    p->codes = c;
    *number = c->number;
    return MPI_SUCCESS;
}

int mpi_code_remove(struct mpi_process *p, const char *call, struct mpi_code *c)
{
    if (c->text)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d still has a text", c->number);
    struct mpi_code **at = &p->codes;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    mpi_free(p, c);
    p->last_code = MPI_ERR_LASTCODE;
    for (const struct mpi_code *other = p->codes; other; other = other->next)
        if (other->number > p->last_code)
            p->last_code = other->number;
    return MPI_SUCCESS;
}

int mpi_check_own_code(struct mpi_process *p, const char *call, int number, struct mpi_code **c)
{
    *c = mpi_code(p, number);
    if (*c)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_ARG, call, "%d is no code that the program added", number);
}
