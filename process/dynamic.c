/* SPDX-License-Identifier: MIT */
/* How a dynamically linked program meets its machine. Its first instruction asks the C library for
 * __libc_start_main; as this library stands before the C library in the search order, the program
 * gets the one below, which puts image_main in place of the program's main. A few other routines of
 * the C library are stood before in the same way. Only programs that are linked with this library
 * load it, so no others are affected. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <process/image.h>
#include <process/parent.h>
#include <process/threads.h>

#include "behind.h"
#include "instance.h"
#include "object.h"

const bool image_turns = true;

void *image_behind(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (!next) {
        fprintf(stderr, "lwmpi: the C library has no %s: link the program with it, dynamically\n",
                name);
        syscall(SYS_exit_group, 127);
    }
    return next;
}

typedef int start_function(image_main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

int __libc_start_main(image_main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

EXPORT int __libc_start_main(image_main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start;
    image_learn_main(main);
    *(void **)&start = image_behind("__libc_start_main");
    image.own.main = main;
    image_fortran_find();
    bool shares = image_will_share();
    if (shares || image_is_virtual()) /* where a lone rank's program takes memory, too */
        image.own.object = image_object_new(0, open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    if (shares)
        image_private_prepare();
    return start(image_main, argc, argv, init, fini, rtld_fini, stack_end);
}

EXPORT _Noreturn void exit(int status)
{
    image_exit(status);
    void (*next)(int);
    *(void **)&next = image_behind("exit");
    next(status);
    __builtin_unreachable();
}

/* The machine below ends the process in the same way as the program. */
static _Noreturn void quit(int status, const void *caller)
{
    if (image_is_ours(caller))
        image_output_rescue();
    else
        status = image_quit(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT _Noreturn void _exit(int status)
{
    quit(status, __builtin_return_address(0));
}

EXPORT _Noreturn void _Exit(int status)
{
    quit(status, __builtin_return_address(0));
}

EXPORT _Noreturn void quick_exit(int status)
{
    void (*next)(int);
    status = image_quit(status);
    *(void **)&next = image_behind("quick_exit");
    next(status);
    __builtin_unreachable();
}

EXPORT int fflush(FILE *stream)
{
    int (*next)(FILE *);
    *(void **)&next = image_behind("fflush");
    int e = next(stream);
    image_output_flush(stream);
    return e;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *arg)
{
    NEXT(pthread_create, int, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (image_stack_reach)
        image_stack_reach();
    return image_parent_pthread(next, thread, attributes, run, arg);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
    NEXT(thrd_create, int, thrd_t *, thrd_start_t, void *);
    if (image_stack_reach)
        image_stack_reach();
    return image_parent_thrd(next, thread, run, arg);
}

/* std::ios_base::sync_with_stdio: it gives std::cout and the others another buffer and ends the one
 * that they had, which those of other instances write through. So they stay as they are. */
EXPORT bool _ZNSt8ios_base15sync_with_stdioEb(bool sync);
EXPORT bool _ZNSt8ios_base15sync_with_stdioEb(bool sync)
{
    if (image.shared || image_will_share()) /* from image_params on, and before */
        return true;
    NEXT(_ZNSt8ios_base15sync_with_stdioEb, bool, bool);
    return next(sync);
}

EXPORT int fileno(FILE *stream)
{
    int fd = image_output_number(stream);
    if (fd >= 0)
        return fd;
    int (*next)(FILE *);
    *(void **)&next = image_behind("fileno");
    return next(stream);
}

/* The dynamic linker knows the program where it loaded it, not its instances. */
EXPORT int dladdr(const void *address, Dl_info *info)
{
    NEXT(dladdr, int, const void *, Dl_info *);
    int known = next(address, info);
    uintptr_t distance = known ? 0 : image_instance_distance((uintptr_t)address);
    if (distance == 0 || next((const char *)address - distance, info) == 0)
        return known;
    info->dli_fbase = (char *)info->dli_fbase + distance;
    if (info->dli_saddr)
        info->dli_saddr = (char *)info->dli_saddr + distance;
    return 1;
}
