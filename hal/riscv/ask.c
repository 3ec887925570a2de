/* SPDX-License-Identifier: MIT */
/* A program in user mode asks the computer that runs QEMU. QEMU looks at no protection when it
 * reads arguments and moves data, so all of it is looked at here; what is no data is copied before,
 * as other threads may write meanwhile. Operations that are not about files are refused. */
#include "riscv.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/lock.h>
#include <hal/user.h>

enum { ARGUMENTS = 4 };

/* Names are copied to the network's memory: they are more than a stack in the kernel has, and QEMU
 * 7.2 finds no text in a page of which a part is denied, as of the kernel's variables. */
static struct hal_lock names;

/* A letter for each argument: . a number; t a name; < bytes that are read, > written, how many says
 * the next argument. */
static const char *const operations[] = {
    [0x01] = "t..", [0x02] = ".",  [0x05] = ".<.",  [0x06] = ".>.", [0x0a] = "..",
    [0x0c] = ".",   [0x0e] = "t.", [0x0f] = "t.t.", [0x13] = "",
};

static int copy_name(long *argument, char *to)
{
    const char *from = (const char *)*argument;
    *argument = (long)to;
    for (size_t n = 0; n < RV_NAME_MAX; n++) {
        if (!hal_user_memory(from + n, 1, false))
            return -B_EFAULT;
        to[n] = from[n];
        if (to[n] == '\0')
            return 0;
    }
    return -B_EINVAL;
}

static int check(long *argument, int i, char letter)
{
    if (letter == '.')
        return 0;
    if (letter == 't')
        return copy_name(&argument[i], rv_noc()->name[rv_cluster][i / 2]);
    const void *at = (const void *)argument[i];
    return hal_user_memory(at, (size_t)argument[i + 1], letter == '>') ? 0 : -B_EFAULT;
}

long rv_user_host(long operation, const long *arguments)
{
    const size_t known = sizeof operations / sizeof operations[0];
    long argument[ARGUMENTS], answer = 0;
    const char *letters = (size_t)operation < known ? operations[operation] : NULL;
    if (!letters || !rv_board()->hosted)
        return -B_ENOSYS;
    size_t n = 0;
    while (letters[n] != '\0')
        n++;
    if ((uintptr_t)arguments % sizeof *arguments != 0 ||
        !hal_user_memory(arguments, n * sizeof *arguments, false))
        return -B_EFAULT;
    memcpy(argument, arguments, n * sizeof *arguments);
    bool named = letters[0] == 't';
    if (named)
        hal_lock(&names);
    for (int i = 0; i < (int)n && answer == 0; i++)
        answer = check(argument, i, letters[i]);
    if (answer == 0)
        answer = hal_virt_host(operation, argument);
    if (named)
        hal_unlock(&names);
    return answer;
}
