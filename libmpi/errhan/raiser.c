/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/raiser.h"

int mpi_check_comm_raiser(struct mpi_process *p, const char *call, MPI_Comm comm,
                          struct mpi_raiser_place *at)
{
    struct mpi_comm *c;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (!rc)
        *at = (struct mpi_raiser_place){&c->errhandler, c, mpi_raiser(p, c)};
    return rc;
}

int mpi_check_win_raiser(struct mpi_process *p, const char *call, MPI_Win win,
                         struct mpi_raiser_place *at)
{
    struct mpi_win *w;
    int rc = mpi_check_win(p, call, win, &w);
    if (!rc)
        *at = (struct mpi_raiser_place){&w->errhandler, NULL, {w->errhandler, w, "a window"}};
    return rc;
}

int mpi_check_session_raiser(struct mpi_process *p, const char *call, MPI_Session session,
                             struct mpi_raiser_place *at)
{
    struct mpi_session *s;
    int rc = mpi_check_session(p, call, session, &s);
    if (!rc)
        *at =
            (struct mpi_raiser_place){&s->raiser.errhandler, &s->raiser, mpi_raiser(p, &s->raiser)};
    return rc;
}

int mpi_check_file_raiser(struct mpi_process *p, const char *call, MPI_File file,
                          struct mpi_raiser_place *at)
{
    if (file != MPI_FILE_NULL)
        return mpi_error(NULL, MPI_ERR_FILE, call, "the handle is no file");
    *at = (struct mpi_raiser_place){
        &p->file_errhandler, NULL, {p->file_errhandler, file, "MPI_FILE_NULL"}};
    return MPI_SUCCESS;
}

int mpi_check_code(struct mpi_process *p, struct mpi_comm *c, const char *call, int code)
{
    if (mpi_class_of(p, code) >= 0)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_ARG, call, "%d is no error code", code);
}
