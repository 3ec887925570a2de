/* SPDX-License-Identifier: MIT */
/* Stands before the assembler for `mpicc --count`: compilers that are told to look for their tools
 * here (-B) call it with the assembler's own command line. The text that they made goes to the real
 * assembler changed so that it counts what it executes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emit.h"

#define SAYS "mpicc --count: "

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, SAYS "%s: %s\n", what, strerror(errno));
    exit(1);
}

/* --- the real assembler --- */

static bool is_self(const char *path)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat("/proc/self/exe", &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* mpicc has asked the compiler; by itself this looks along PATH. */
static const char *real_assembler(void)
{
    static char path[4096];
    const char *told = getenv("LWMPI_AS");
    if (told && strchr(told, '/') && !is_self(told))
        return told;
    const char *name = told && !strchr(told, '/') ? told : "as";
    const char *folders = getenv("PATH");
    while (folders && *folders != '\0') {
        size_t n = strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)n, folders, name);
        if (access(path, X_OK) == 0 && !is_self(path))
            return path;
        folders += n + (folders[n] == ':');
    }
    fprintf(stderr, SAYS "no assembler in PATH\n");
    exit(1);
}

/* --- the command line --- */

static bool takes_value(const char *option)
{
    static const char *const with[] = {"-o", "-I", "-MD", "--MD", "--defsym", "--debug-prefix-map"};
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++)
        if (strcmp(option, with[i]) == 0)
            return true;
    return false;
}

/* The place of the one file to be read; 0: standard input; NOWHERE: several, or nothing to do. */
static int find_input(int argc, char **argv)
{
    int input = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--32") == 0 || strcmp(argv[i], "--x32") == 0 ||
            strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "--help") == 0)
            return NOWHERE;
        if (takes_value(argv[i]))
            i++;
        else if (argv[i][0] != '-' && input != 0)
            return NOWHERE;
        else if (argv[i][0] != '-')
            input = i;
    }
    return input;
}

/* --- the text --- */

static char *read_all(int fd, size_t *size)
{
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    for (;;) {
        if (*size + 1 >= room) {
            room = 2 * room + 65536;
            text = grow(text, room, 1);
        }
        ssize_t n = read(fd, text + *size, room - *size - 1);
        if (n < 0)
            fail("reading the compiler's output");
        if (n == 0)
            break;
        *size += (size_t)n;
    }
    text[*size] = '\0';
    return text;
}

static bool understood(const struct source *s)
{
    for (int i = 0; i < s->statements; i++) {
        const struct statement *t = &s->statement[i];
        if (t->kind == DIRECTIVE && !t->by_hand && piece_begins(t->text, ".intel_syntax"))
            return false;
    }
    return true;
}

static char *counted(const char *text, size_t *size)
{
    struct source s;
    struct blocks b;
    struct regions r;
    source_read(&s, text, *size);
    if (!understood(&s)) {
        fprintf(stderr,
                SAYS "assembly in Intel's syntax cannot be counted; leave out -masm=intel\n");
        exit(1);
    }
    blocks_find(&b, &s);
    regions_find(&r, &b);
    emit(&s, &b, &r);
    char *result = source_result(&s, size);
    regions_free(&r);
    blocks_free(&b);
    source_free(&s);
    return result;
}

static void write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EPIPE)
            return; /* the assembler has said why it does not read on */
        if (done < 0)
            fail("writing to the assembler");
        text += done;
        n -= (size_t)done;
    }
}

/* The line that says which file the text is of. */
static void write_name(int fd, const char *name)
{
    write_all(fd, "# 1 \"", 5);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            write_all(fd, "\\", 1);
        write_all(fd, name, 1);
    }
    write_all(fd, "\"\n", 2);
}

/* Runs the assembler with the text as its standard input; its exit code. `name` is the file that
 * its messages are about. */
static int assemble(char **argv, const char *name, const char *text, size_t size)
{
    int ends[2], status;
    const char *as = real_assembler();
    if (pipe(ends) < 0)
        fail("pipe");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(as, argv);
        fail(as);
    }
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    if (name)
        write_name(ends[1], name);
    write_all(ends[1], text, size);
    close(ends[1]);
    if (waitpid(child, &status, 0) < 0)
        fail("waitpid");
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, SAYS "%s was killed by signal %d (%s)\n", as, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return 1;
}

int main(int argc, char **argv)
{
    int input = find_input(argc, argv);
    if (input == NOWHERE) {
        execv(real_assembler(), argv);
        fail("as");
    }
    int fd = input == 0 ? STDIN_FILENO : open(argv[input], O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail(argv[input]);
    size_t size;
    char *text = read_all(fd, &size);
    const char *name = input == 0 ? NULL : argv[input];
    char *result = counted(text, &size);
    if (input != 0)
        argv[input] = "--";
    int code = assemble(argv, name, result, size);
    free(text);
    free(result);
    return code;
}
