/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "core/check.h"
#include "core/errhandler.h"
#include "info/info.h"

#pragma weak MPI_Session_init = PMPI_Session_init

/* The level that the info asks for: FUNNELED if it does not say, -1 if none has that name. */
static int level_asked(const struct mpi_info *i)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    const char *asked = mpi_info_value(i, "thread_level");
    if (!asked)
        return MPI_THREAD_FUNNELED;
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
        if (strcmp(asked, mpi_level_name(levels[k])) == 0)
            return levels[k];
    return -1;
}

/* A session gets the level that MPI_Init_thread would grant, or what MPI_Init granted. */
static int begin(struct mpi_process *p, const char *call, struct mpi_session *s,
                 const struct mpi_info *i)
{
    int level = level_asked(i);
    if (level < 0)
        return mpi_error(&s->raiser, MPI_ERR_INFO_VALUE, call,
                         "thread_level is \"%s\"; must be MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
                         "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE",
                         mpi_info_value(i, "thread_level"));
    int rc = mpi_start(p, call);
    if (!rc)
        s->thread_level =
            p->phase == MPI_INITIALIZED ? p->thread_level : mpi_thread_level(p, level);
    return rc;
}

int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    static const char call[] = "MPI_Session_init";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, true, &i);
    if (rc || (rc = mpi_check_errhandler(NULL, call, MPI_OWNER_SESSION, errhandler)) ||
        (rc = mpi_check_out(NULL, call, session, "session")))
        return rc;
    *session = MPI_SESSION_NULL;
    struct mpi_session *s = mpi_alloc(p, sizeof *s);
    if (!s)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    *s = (struct mpi_session){.raiser = {.magic = MPI_IS_SESSION,
                                         .refs = 1,
                                         .p2p = {.name = "a session"},
                                         .errhandler = mpi_errhandler_retain(errhandler)},
                              .next = p->sessions};
    if ((rc = begin(p, call, s, i))) {
        mpi_errhandler_drop(p, s->raiser.errhandler);
        mpi_free(p, s);
        return rc;
    }
    p->sessions = s;
    p->used_sessions = true;
    *session = (MPI_Session)s;
    return MPI_SUCCESS;
}
