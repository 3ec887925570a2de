/* SPDX-License-Identifier: MIT */
/* What the error message of a collective that ranks disagree about says: who called what. */
#include <base/fmt.h>

#include "coll/agree.h"
#include "coll/call.h"

static void describe(const struct mpi_call *a, char *text, size_t size)
{
    static const char *const formats[] = {"%s", "%s of %llu bytes", "%s of %llu bytes, root %d",
                                          "%s, where it failed"};
    int which = !a->mark ? 3 : a->root >= 0 ? 2 : a->bytes > 0;
    b_fmt(text, size, formats[which], a->name, (unsigned long long)a->bytes, a->root);
}

void mpi_coll_why(struct mpi_coll *c, char *text, size_t size)
{
    static const char *const formats[] = {
        [MPI_COLL_DIFFERS] =
            "rank %d called something else, or another root, operator or amount: %s",
        [MPI_COLL_ALARMED] = "rank %d called something else: %s",
        [MPI_COLL_QUERIED] = "rank %d called something else: %s",
        [MPI_COLL_CYCLE] = "rank %d called something else first: %s",
        [MPI_COLL_LATE] = "rank %d called something else than this one in a collective before",
        [MPI_COLL_OWN] = "a message failed, or there was no memory for it"};
    struct mpi_call own = mpi_call_of(c), other;
    char mine[80], theirs[80];
    describe(&own, mine, sizeof mine);
    b_fmt(text, size, formats[c->agreement.verdict], c->agreement.offender, mine);
    bool known = false;
    if (c->agreement.verdict == MPI_COLL_ALARMED)
        known = mpi_call_find(c, &c->agreement.offender, &other);
    else if (c->p->checker)
        known = c->p->checker->hooks->accuses(c, &c->agreement.offender, &other);
    if (!known)
        return;
    describe(&other, theirs, sizeof theirs);
    bool same = other.mark && other.mark == own.mark; /* who met a third one, and told of it */
    b_fmt(text, size,
          same ? "rank %d, in %s as well, found that not all call the same"
               : "rank %d called %s, this one %s",
          c->agreement.offender, theirs, mine);
}
