/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "program.h"

bool home(int up, char *path)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = '\0';
    for (; up > 0 && strchr(path, '/'); up--)
        *strrchr(path, '/') = '\0';
    return n >= 0;
}
