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

/* Starts the program's dynamic linker, which prints a line for each library. -1: it cannot be. */
static int list(const struct program *p, pid_t *pid)
{
    extern char **environ;
    int ends[2];
    char *argv[] = {(char *)p->interpreter, "--list", (char *)p->path, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int e = posix_spawn(pid, p->interpreter, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (e == 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

static void each_line(const struct program *p, void (*each)(char *line, void *arg), void *arg)
{
    pid_t pid;
    char *line = NULL;
    size_t size = 0;
    int fd = list(p, &pid);
    FILE *lines = fd < 0 ? NULL : fdopen(fd, "r");
    while (lines && getline(&line, &size, lines) > 0)
        each(line, arg);
    free(line);
    if (lines)
        fclose(lines);
    else if (fd >= 0)
        close(fd);
    if (fd >= 0)
        waitpid(pid, NULL, 0);
}

struct libraries {
    void (*each)(struct program *library);
    struct program library; /* the one at hand */
};

/* "<tab>name => path (address)". */
static void take_library(char *line, void *arg)
{
    struct libraries *all = arg;
    char *path = strstr(line, " => "), *end = strrchr(line, '(');
    if (!path || !end || end - path < 6)
        return;
    path += 4;
    end[-1] = '\0';
    all->library = (struct program){0};
    if (strlen(path) < sizeof all->library.path) {
        strcpy(all->library.path, path);
        all->each(&all->library);
    }
}

void program_libraries(const struct program *p, void (*each)(struct program *library))
{
    struct libraries all = {.each = each};
    each_line(p, take_library, &all);
}

static void find_mpi(char *line, void *found)
{
    if (strstr(line, "libmpi_abi.so.1"))
        *(bool *)found = true;
}

bool program_loads_mpi(const struct program *p)
{
    bool found = p->needs_mpi;
    if (!found)
        each_line(p, find_mpi, &found);
    return found;
}
