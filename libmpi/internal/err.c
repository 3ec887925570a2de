/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include <base/error.h>
#include <base/fmt.h>
#include <mpiutil/machine.h>

#include "internal/err.h"

struct class
{
    int number;
    const char *name, *text;
};

static const struct class classes[] = {
#define CLASS(name, text) {name, #name, text},
#include "internal/err.def"
#undef CLASS
};

static const struct class *class_of(int number)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].number == number)
            return &classes[i];
    return NULL;
}

const char *mpi_class_name(int class)
{
    const struct class *c = class_of(class);
    return c ? c->name : NULL;
}

const char *mpi_class_text(int class)
{
    const struct class *c = class_of(class);
    return c ? c->text : NULL;
}

static _Noreturn void fatal(const struct mpi_process *p, const struct mpi_comm *c, int class,
                            const char *call, const char *why)
{
    char who[24] = "before MPI_Init", line[400];
    if (p)
        b_fmt(who, sizeof who, "rank %d", mpu_rank_number(p->rank));
    b_fmt(line, sizeof line, "%s: %s: %s: %s%s%s", who, call, mpi_class_name(class), why,
          c ? " on " : "", c ? c->p2p.name : "");
    mpu_abort(class & 0xff, line);
}

int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
{
    struct mpi_process *p = mpi_process();
    const struct mpi_comm *on = c ? c : p && p->phase == MPI_INITIALIZED ? &p->self : NULL;
    if (on && on->errhandler == MPI_ERRORS_RETURN)
        return class;
    char why[256];
    va_list args;
    va_start(args, format);
    b_vfmt(why, sizeof why, format, args);
    va_end(args);
    fatal(p, c, class, call, why);
}

struct below {
    int error, class;
};

int mpi_error_below(struct mpi_comm *c, int error, const char *call)
{
    static const struct below map[] = {{-B_ENOMEM, MPI_ERR_NO_MEM},
                                       {-B_EMSGSIZE, MPI_ERR_TRUNCATE},
                                       {-B_ENOSYS, MPI_ERR_UNSUPPORTED_OPERATION}};
    int class = MPI_ERR_OTHER;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (map[i].error == error)
            class = map[i].class;
    return mpi_error(c, class, call, "%s", b_error_message(error));
}

struct mpi_process *mpi_running(const char *call)
{
    struct mpi_process *p = mpi_process();
    if (p && p->phase == MPI_INITIALIZED)
        return p;
    mpi_error(NULL, MPI_ERR_OTHER, call,
              p && p->phase == MPI_FINALIZED ? "called after MPI_Finalize"
                                             : "called before MPI_Init");
    return NULL;
}

int mpi_unsupported(const char *call)
{
    return mpi_error(NULL, MPI_ERR_UNSUPPORTED_OPERATION, call,
                     "this function of the standard is not written yet");
}
