/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "qemu.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hal/virt.h>
#include <test/check.h>

static struct hal_virt board;

/* Another machine than QEMU's: a port that is being written. */
static void start_other(const char *command, int file, unsigned argument)
{
    char number[16], path[32];
    int cores = 0;
    for (int i = 0; i < hal_machine_clusters(&board.machine); i++)
        cores += hal_machine_cores(&board.machine, i);
    snprintf(number, sizeof number, "%u", argument);
    setenv("LWMPI_TEST_CASE", number, 1);
    snprintf(number, sizeof number, "%d", cores);
    setenv("LWMPI_TEST_CORES", number, 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    setenv("LWMPI_TEST_BOARD", path, 1);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    perror("/bin/sh");
    _exit(127);
}

/* The status of a machine whose end only its serial line tells: the number in its last line, which
 * is "status N" then and no part of what the console showed; else as it ended. */
static int told(char *text, int status)
{
    char *line = text;
    for (char *at = text; (at = strstr(at, "status ")); at++)
        line = at;
    int n, end = 0;
    bool whole = sscanf(line, "status %d%n", &n, &end) == 1 &&
                 strspn(line + end, "\r\n") == strlen(line + end);
    if (!whole || (line != text && line[-1] != '\n'))
        return status;
    *line = '\0';
    return n;
}

void qemu_ask(bool may)
{
    board.hosted = may;
}

int qemu_run(const struct hal_machine *m, unsigned argument, const char **text)
{
    const char *image = getenv("LWMPI_TEST_IMAGE");
    static char console[64 * 1024];
    char why[256];
    int pipes[2], status;
    size_t used = 0;
    CHECK(image && argument < sizeof board.earlier);
    board.machine = *m;
    board.argument = argument;
    int file = hal_virt_write(&board, why, sizeof why);
    if (file < 0) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    CHECK(pipe(pipes) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        CHECK(freopen("/dev/null", "r", stdin) != NULL);
        const char *command = getenv("LWMPI_TEST_RUN");
        if (command)
            start_other(command, file, argument);
        bool parallel = getenv("LWMPI_TEST_PARALLEL") != NULL;
        int e = hal_virt_become(&(struct hal_virt_start){.image = image, .parallel = parallel},
                                &board, file);
        fprintf(stderr, "%s: cannot start QEMU: %s\n", image, strerror(e));
        _exit(127);
    }
    close(pipes[1]);
    for (ssize_t n; (n = read(pipes[0], console + used, sizeof console - 1 - used)) > 0;)
        used += (size_t)n;
    console[used] = '\0';
    close(pipes[0]);
    CHECK(waitpid(pid, &status, 0) == pid);
    close(file);
    *text = console;
    status = told(console, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    board.earlier[argument] = (uint8_t)status;
    return status;
}
