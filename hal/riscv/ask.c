/* SPDX-License-Identifier: MIT */
/* A program in user mode asks the computer that runs QEMU. QEMU looks at no protection when it
 * reads arguments and moves data, so all of it is looked at here; what is no data is copied before,
 * as other threads may write meanwhile. Operations that are not about files are refused. */
#include "riscv.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/user.h>

enum { ARGUMENTS = 4, NAMES = 2, NAME_MAX = 1024 };

/* A letter for each argument: . a number; t a name; < bytes that are read, > written, how many says
 * the next argument. */
static const char *const operations[] = {
    [0x01] = "t..", [0x02] = ".",  [0x05] = ".<.",  [0x06] = ".>.", [0x0a] = "..",
    [0x0c] = ".",   [0x0e] = "t.", [0x0f] = "t.t.", [0x13] = "",
};

struct asked {
    long argument[ARGUMENTS];
    char name[NAMES][NAME_MAX];
    int names;
};

static int copy_name(struct asked *a, int i)
{
    const char *from = (const char *)a->argument[i];
    char *to = a->name[a->names++];
    a->argument[i] = (long)to;
    for (size_t n = 0; n < NAME_MAX; n++) {
        if (!hal_user_memory(from + n, 1, false))
            return -B_EFAULT;
        to[n] = from[n];
        if (to[n] == '\0')
            return 0;
    }
    return -B_EINVAL;
}

static int check(struct asked *a, int i, char letter)
{
    if (letter == '.')
        return 0;
    if (letter == 't')
        return copy_name(a, i);
    const void *at = (const void *)a->argument[i];
    return hal_user_memory(at, (size_t)a->argument[i + 1], letter == '>') ? 0 : -B_EFAULT;
}

long rv_user_host(long operation, const long *arguments)
{
    const size_t known = sizeof operations / sizeof operations[0];
    struct asked a = {.names = 0};
    int error = 0;
    const char *letters = (size_t)operation < known ? operations[operation] : NULL;
    if (!letters || !rv_board()->hosted)
        return -B_ENOSYS;
    size_t n = 0;
    while (letters[n] != '\0')
        n++;
    if ((uintptr_t)arguments % sizeof *arguments != 0 ||
        !hal_user_memory(arguments, n * sizeof *arguments, false))
        return -B_EFAULT;
    memcpy(a.argument, arguments, n * sizeof *arguments);
    for (int i = 0; i < (int)n && error == 0; i++)
        error = check(&a, i, letters[i]);
    return error != 0 ? error : hal_virt_host(operation, a.argument);
}
