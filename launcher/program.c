/* SPDX-License-Identifier: MIT */
/* Finding the program, and asking its dynamic linker. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "program.h"

static bool runnable(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static int check_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0) {
        complain("%.400s: cannot run this program: %s", path, strerror(errno));
        return EXIT_NO_PROGRAM;
    }
    if (!S_ISREG(st.st_mode)) {
        complain("%.400s: this is %s, not a program", path,
                 S_ISDIR(st.st_mode) ? "a directory" : "no regular file");
        return EXIT_CANNOT_RUN;
    }
    if (access(path, X_OK) < 0) {
        complain("%.400s: this file is not executable (chmod +x?)", path);
        return EXIT_CANNOT_RUN;
    }
    return -1;
}

/* Looks through folders with colons between them; an empty one is the current one. */
static bool find_in(const char *folders, const char *name, struct program *p)
{
    for (const char *at = folders;;) {
        size_t n = strcspn(at, ":");
        int length = snprintf(p->path, sizeof p->path, "%.*s/%s", n == 0 ? 1 : (int)n,
                              n == 0 ? "." : at, name);
        if (length < (int)sizeof p->path && runnable(p->path))
            return true;
        if (at[n] == '\0')
            return false;
        at += n + 1;
    }
}

int program_find(const char *name, const char *folders, struct program *p)
{
    *p = (struct program){0};
    if (strlen(name) >= sizeof p->path) {
        complain("%.40s...: the program's name is too long", name);
        return EXIT_NO_PROGRAM;
    }
    if (strchr(name, '/')) {
        memcpy(p->path, name, strlen(name) + 1);
        return check_path(name);
    }
    const char *list = getenv("PATH");
    if ((folders && find_in(folders, name, p)) || find_in(list ? list : "/bin:/usr/bin", name, p))
        return -1;
    struct stat st;
    complain("%.400s: no such program in %sPATH%s%.400s%s", name, folders ? "-path and " : "",
             stat(name, &st) == 0 ? "; did you mean ./" : "", stat(name, &st) == 0 ? name : "",
             stat(name, &st) == 0 ? "?" : "");
    return EXIT_NO_PROGRAM;
}

/* Starts the program's dynamic linker, which prints a line for each library. NULL: it cannot be.
 * The caller closes the stream and waits for the process. */
static FILE *list(const struct program *p, pid_t *pid)
{
    extern char **environ;
    int ends[2];
    char *argv[] = {(char *)p->interpreter, "--list", (char *)p->path, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int e = posix_spawn(pid, p->interpreter, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *lines = e == 0 ? fdopen(ends[0], "r") : NULL;
    if (!lines)
        close(ends[0]);
    if (!lines && e == 0)
        waitpid(*pid, NULL, 0);
    return lines;
}

/* "<tab>name => path (address)": the path, cut out of the line; NULL: the line has none. */
static const char *path_in(char *line)
{
    char *path = strstr(line, " => "), *end = strrchr(line, '(');
    if (!path || !end || end - path < 6)
        return NULL;
    end[-1] = '\0';
    return path + 4;
}

void program_libraries(const struct program *p, void (*each)(struct program *library))
{
    struct program *library = calloc(1, sizeof *library);
    pid_t pid;
    char *line = NULL;
    size_t size = 0;
    FILE *lines = library ? list(p, &pid) : NULL;
    while (lines && getline(&line, &size, lines) > 0) {
        const char *path = path_in(line);
        *library = (struct program){0};
        if (path && strlen(path) < sizeof library->path) {
            strcpy(library->path, path);
            each(library);
        }
    }
    free(line);
    free(library);
    if (!lines)
        return;
    fclose(lines);
    waitpid(pid, NULL, 0);
}

bool program_loads_mpi(const struct program *p)
{
    pid_t pid;
    char *line = NULL;
    size_t size = 0;
    bool found = p->needs_mpi;
    FILE *lines = found ? NULL : list(p, &pid);
    while (lines && getline(&line, &size, lines) > 0)
        found = found || strstr(line, "libmpi_abi.so.1");
    free(line);
    if (!lines)
        return found;
    fclose(lines);
    waitpid(pid, NULL, 0);
    return found;
}
