/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "qemu.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <test/check.h>

#include "../../riscv/riscv.h"

static uint8_t ended[sizeof((struct rv_board *)NULL)->earlier];

/* The description of the machine in a file, which QEMU puts into memory. */
static void write_board(char *path, const struct hal_machine *m, unsigned argument)
{
    struct rv_board b;
    memset(&b, 0, sizeof b);
    b.magic = RV_BOARD_MAGIC;
    b.machine = *m;
    b.argument = argument;
    memcpy(b.earlier, ended, sizeof ended);
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK(write(fd, &b, sizeof b) == (ssize_t)sizeof b);
    close(fd);
}

/* Another machine than QEMU's: a port that is being written. */
static void start_other(const char *command, const char *board, unsigned argument)
{
    char number[16];
    snprintf(number, sizeof number, "%u", argument);
    setenv("LWMPI_TEST_CASE", number, 1);
    setenv("LWMPI_TEST_BOARD", board, 1);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    perror("/bin/sh");
    _exit(127);
}

/* The status of a machine whose end only its serial line tells: the number in its last line, which
 * is "status N" then; else as it ended. */
static int told(const char *text, int status)
{
    const char *line = text;
    for (const char *at = text; (at = strstr(at, "status ")) != NULL; at++) {
        line = at;
    }
    int n, end = 0;
    bool whole = sscanf(line, "status %d%n", &n, &end) == 1 &&
                 strspn(line + end, "\r\n") == strlen(line + end);
    return whole && (line == text || line[-1] == '\n') ? n : status;
}

static void start(const char *image, const char *board, const struct hal_machine *m)
{
    char harts[16], memory[16], load_image[512], load_board[512];
    unsigned clusters = m->compute_clusters + m->io_clusters;
    snprintf(harts, sizeof harts, "%u", /* and the network's engine */
             m->compute_clusters * m->compute_cores + m->io_clusters * m->io_cores + 1);
    snprintf(memory, sizeof memory, "%uM",
             (RV_CAGES - RV_BOOT + clusters * (unsigned)RV_CAGE_BYTES) >> 20);
    snprintf(load_image, sizeof load_image, "loader,file=%s,addr=0x%x,force-raw=on", image,
             RV_BOOT);
    snprintf(load_board, sizeof load_board, "loader,file=%s,addr=0x%x,force-raw=on", board,
             RV_BOARD);
    execlp("qemu-system-riscv64", "qemu-system-riscv64", "-M", "virt", "-accel",
           "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", harts, "-m", memory,
           "-bios", "none", "-display", "none", "-monitor", "none", "-serial", "stdio", "-device",
           load_image, "-device", load_board, (char *)NULL);
    perror("qemu-system-riscv64");
    _exit(127);
}

int qemu_run(const struct hal_machine *m, unsigned argument, const char **text)
{
    const char *image = getenv("LWMPI_TEST_IMAGE");
    static char console[64 * 1024];
    char board[] = "/tmp/lwmpi-board-XXXXXX";
    int pipes[2], status;
    size_t used = 0;
    CHECK(image != NULL && argument < sizeof ended);
    write_board(board, m, argument);
    CHECK(pipe(pipes) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        CHECK(freopen("/dev/null", "r", stdin) != NULL);
        const char *command = getenv("LWMPI_TEST_RUN");
        if (command != NULL) {
            start_other(command, board, argument);
        }
        start(image, board, m);
    }
    close(pipes[1]);
    for (ssize_t n; (n = read(pipes[0], console + used, sizeof console - 1 - used)) > 0;) {
        used += (size_t)n;
    }
    console[used] = '\0';
    close(pipes[0]);
    CHECK(waitpid(pid, &status, 0) == pid);
    unlink(board);
    *text = console;
    status = told(console, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    ended[argument] = (uint8_t)status;
    return status;
}
