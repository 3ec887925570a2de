/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include <base/error.h>
#include <base/fmt.h>
#include <mpiutil/machine.h>

#include "internal/comm.h"
#include "internal/errhandler.h"
#include "internal/outside.h"
#include "internal/session.h"

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

static const char *class_name(int class)
{
    const struct class *c = class_of(class);
    return c ? c->name : NULL;
}

const char *mpi_class_text(int class)
{
    const struct class *c = class_of(class);
    return c ? c->text : NULL;
}

struct mpi_code *mpi_code(struct mpi_process *p, int number)
{
    struct mpi_code *c = p ? p->codes : NULL;
    while (c && c->number != number)
        c = c->next;
    return c;
}

int mpi_class_of(struct mpi_process *p, int code)
{
    const struct mpi_code *c = mpi_code(p, code);
    return c ? c->class : class_name(code) ? code : -1;
}

int mpi_error_text(struct mpi_process *p, int code, char *text, size_t size)
{
    const struct mpi_code *c = mpi_code(p, code);
    if (c)
        return b_fmt(text, size, "%s", c->text ? c->text : "");
    return b_fmt(text, size, "%s: %s", class_name(code), mpi_class_text(code));
}

static _Noreturn void fatal(const struct mpi_process *p, const struct mpi_raiser *on, int code,
                            const char *call, const char *why)
{
    char who[24] = "before MPI_Init", number[24], line[400];
    const char *name = class_name(code);
    if (p)
        b_fmt(who, sizeof who, "rank %d", mpu_rank_number(p->rank));
    b_fmt(number, sizeof number, "error %d", code);
    b_fmt(line, sizeof line, "%s: %s: %s: %s%s%s", who, call, name ? name : number, why,
          on->name ? " on " : "", on->name ? on->name : "");
    mpu_abort(code & 0xff ? code & 0xff : 1, line);
}

static int raise(struct mpi_process *p, const struct mpi_raiser *on, int code, const char *call,
                 const char *format, va_list args)
{
    struct mpi_errhandler *e = mpi_errhandler(on->handler);
    if (on->handler == MPI_ERRORS_RETURN)
        return code;
    if (e) {
        void *handle = on->handle; /* the handler may write to what it is given */
        int number = code;
        mpi_errhandler_hold(on->handler); /* it may free itself */
        mpi_outside_begin(p);
        e->call(&handle, &number);
        mpi_outside_end(p);
        mpi_errhandler_drop(p, on->handler);
        return code;
    }
    char why[256];
    b_vfmt(why, sizeof why, format, args);
    fatal(p, on, code, call, why);
}

int mpi_raise(const struct mpi_raiser *on, int code, const char *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = raise(mpi_process(), on, code, call, format, args);
    va_end(args);
    return rc;
}

struct mpi_raiser mpi_raiser(struct mpi_process *p, const struct mpi_comm *c)
{
    if (c && c->magic == MPI_IS_SESSION)
        return (struct mpi_raiser){c->errhandler, (void *)(uintptr_t)c, c->p2p.name};
    if (c)
        return (struct mpi_raiser){c->errhandler, mpi_comm_handle(p, c), c->p2p.name};
    if (p && p->phase == MPI_INITIALIZED)
        return p->self_chosen ? (struct mpi_raiser){p->self.errhandler, MPI_COMM_SELF, NULL}
                              : (struct mpi_raiser){p->world.errhandler, MPI_COMM_WORLD, NULL};
    if (p && p->sessions)
        return mpi_raiser(p, &p->sessions->raiser);
    return (struct mpi_raiser){MPI_ERRORS_ARE_FATAL, NULL, NULL};
}

int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
{
    struct mpi_process *p = mpi_process();
    struct mpi_raiser on = mpi_raiser(p, c);
    va_list args;
    va_start(args, format);
    int rc = raise(p, &on, class, call, format, args);
    va_end(args);
    return rc;
}

struct below {
    int error, class;
};

int mpi_class_below(int error)
{
    static const struct below map[] = {{-B_ENOMEM, MPI_ERR_NO_MEM},
                                       {-B_EMSGSIZE, MPI_ERR_TRUNCATE},
                                       {-B_EBADMSG, MPI_ERR_TYPE},
                                       {-B_ENOSYS, MPI_ERR_UNSUPPORTED_OPERATION}};
    int class = MPI_ERR_OTHER;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (map[i].error == error)
            class = map[i].class;
    return class;
}

int mpi_error_below(struct mpi_comm *c, int error, const char *call)
{
    return mpi_error(c, mpi_class_below(error), call, "%s", b_error_message(error));
}

static struct mpi_process *not_running(const struct mpi_process *p, const char *call)
{
    mpi_error(NULL, MPI_ERR_OTHER, call,
              p && p->phase == MPI_FINALIZED ? "called after MPI_Finalize"
                                             : "called before MPI_Init");
    return NULL;
}

struct mpi_process *mpi_running(const char *call)
{
    struct mpi_process *p = mpu_self_user();
    return p && (p->phase == MPI_INITIALIZED || p->sessions) ? p : not_running(p, call);
}

int mpi_unsupported(const char *call)
{
    return mpi_error(NULL, MPI_ERR_UNSUPPORTED_OPERATION, call,
                     "this function of the standard is not written yet");
}
