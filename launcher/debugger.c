/* SPDX-License-Identifier: MIT */
/* gdb as the job's program: it loads the scripts beside the library by itself if it was told that
 * this folder may be trusted, which is what it is told here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

char **debugger_words(char **command)
{
    char folder[PATH_MAX], *trust = NULL;
    const char *slash = strrchr(command[0], '/');
    size_t n = 1;
    if (strcmp(slash ? slash + 1 : command[0], "gdb") != 0 || !home(2, folder) ||
        asprintf(&trust, "add-auto-load-safe-path %s/lib", folder) < 0)
        return command;
    while (command[n])
        n++;
    char **words = calloc(n + 3, sizeof *words);
    if (!words) {
        free(trust);
        return command;
    }
    words[0] = command[0];
    words[1] = "-iex";
    words[2] = trust;
    memcpy(words + 3, command + 1, (n - 1) * sizeof *words);
    return words;
}
