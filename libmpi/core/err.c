/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include <base/error.h>
#include <base/fmt.h>
#include <base/texts.h>
#include <mpiutil/boot.h>
#include <mpiutil/machine.h>

#include "core/errhandler.h"
#include "core/callback.h"
#include "core/check.h"

static const uint16_t classes[] = {
#define CLASS(name, text) name,
#include "core/err.def"
#undef CLASS
};

/* In their order, of each two. */
enum { NAME, TEXT, TEXTS };
static const char texts[] =
#define CLASS(name, text) #name "\0" text "\0"
#include "core/err.def"
#undef CLASS
    ;

static const char *text_of(int class, size_t which)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i] == class)
            return b_text_of(texts, TEXTS * i + which);
    return NULL;
}

static const char *class_name(int class)
{
    return text_of(class, NAME);
}

const char *mpi_class_text(int class)
{
    return text_of(class, TEXT);
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

static _Noreturn void fatal(const struct mpi_raiser *on, int code, const char *name,
                            const char *call, const char *why)
{
    char line[400];
    b_fmt(line, sizeof line, "%s: %s: %s: %s%s%s", mpu_public()->who, call, name, why,
          on->name ? " on " : "", on->name ? on->name : "");
    mpu_abort(code & 0xff ? code & 0xff : 1, line);
}

/* name: the code's. */
static int raise(struct mpi_process *p, const struct mpi_raiser *on, int code, const char *name,
                 const char *call, const char *format, va_list args)
{
    struct mpi_errhandler *e = mpi_errhandler(on->handler);
    if (on->handler == MPI_ERRORS_RETURN)
        return code;
    if (e) {
        void *handle = on->handle; /* the handler may write to what it is given */
        int number = code;
        mpi_errhandler_retain(on->handler); /* it may free itself */
        int was = mpi_callback_begin(p);
        e->call(&handle, &number);
        mpi_callback_end(p, was);
        mpi_errhandler_drop(p, on->handler);
        return code;
    }
    char why[256];
    b_vfmt(why, sizeof why, format, args);
    fatal(on, code, name, call, why);
}

int mpi_raise(const struct mpi_raiser *on, int code, const char *call, const char *format, ...)
{
    char number[24];
    const char *name = class_name(code);
    va_list args;
    b_fmt(number, sizeof number, "error %d", code);
    va_start(args, format);
    int rc = raise(mpi_process(), on, code, name ? name : number, call, format, args);
    va_end(args);
    return rc;
}

struct mpi_raiser mpi_raiser(struct mpi_process *p, const struct mpi_comm *c)
{
    if (!c && p && p->phase == MPI_INITIALIZED) {
        c = p->self_chosen ? &p->self : &p->world;
        return (struct mpi_raiser){c->errhandler, mpi_comm_handle(p, c), NULL};
    }
    if (!c && p && p->sessions)
        c = &p->sessions->raiser;
    if (!c) { /* of another handler a thread that is not the rank's knows nothing */
        bool returns = !p && mpi_public(MPI_PUBLIC_RETURNS);
        return (struct mpi_raiser){returns ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL, NULL, NULL};
    }
    void *handle =
        c->magic == MPI_IS_SESSION ? (void *)(uintptr_t)c : (void *)mpi_comm_handle(p, c);
    return (struct mpi_raiser){c->errhandler, handle, c->p2p.name};
}

int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
{
    struct mpi_process *p = mpi_process();
    struct mpi_raiser on = mpi_raiser(p, c);
    va_list args;
    va_start(args, format);
    int rc = raise(p, &on, class, class_name(class), call, format, args);
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

struct mpi_process *mpi_refuse(const char *call, enum mpi_phase phase)
{
    static const char *const why[] = {
        [MPI_NOT_INITIALIZED] = "called before MPI_Init",
        [MPI_INITIALIZED] = ("called by a thread that is not the rank's main one, from which all "
                             "calls must come: the most granted here is MPI_THREAD_FUNNELED"),
        [MPI_FINALIZED] = "called after MPI_Finalize"};
    mpi_error(NULL, MPI_ERR_OTHER, call, "%s", why[phase]);
    return NULL;
}

struct mpi_process *mpi_running(const char *call)
{
    struct mpi_process *p = mpi_process();
    return p && (p->phase == MPI_INITIALIZED || p->sessions) ? p : mpi_refuse(call, mpi_phase());
}

int mpi_unsupported(const char *call)
{
    return mpi_error(NULL, MPI_ERR_UNSUPPORTED_OPERATION, call,
                     "this function of the standard is not written yet");
}
