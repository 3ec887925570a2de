/* SPDX-License-Identifier: MIT */
/* Reading a program's file: what it says of good ones, and that a damaged one does no harm.
 * Arguments: a program with globals, one without, a folder to write into. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <test/check.h>

#include "options.h"
#include "program.h"

static void read_program(const char *path, struct program *p)
{
    CHECK_EQ(program_find(path, NULL, p), -1);
    program_inspect(p);
}

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    CHECK(f && fseek(f, 0, SEEK_END) == 0);
    *n = (size_t)ftell(f);
    char *data = malloc(*n);
    rewind(f);
    CHECK(data && fread(data, 1, *n, f) == *n);
    fclose(f);
    return data;
}

static void write_file(const char *path, const char *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
    CHECK(chmod(path, 0755) == 0);
}

/* Overwrites 8 bytes at `at` with each of a few patterns and reads the file. */
static void damage(const char *path, char *data, size_t n, size_t at)
{
    static const unsigned char patterns[][8] = {
        {255, 255, 255, 255, 255, 255, 255, 255}, {0},        {0, 0, 0, 0, 0, 0, 0, 128},
        {255, 255, 255, 127, 255, 255, 255, 127}, {1, 0, 16}, {240, 255, 255, 255, 255, 255, 255}};
    char saved[8];
    struct program p;
    size_t width = n - at < 8 ? n - at : 8;
    memcpy(saved, data + at, width);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        memcpy(data + at, patterns[i], width);
        write_file(path, data, n);
        read_program(path, &p);
        CHECK(strlen(p.names) < sizeof p.names && strlen(p.other) < sizeof p.other);
    }
    memcpy(data + at, saved, width);
}

int main(int argc, char **argv)
{
    struct program p;
    char path[4096];
    size_t n;
    CHECK_EQ(argc, 4);

    read_program(argv[1], &p);
    CHECK(p.elf && p.needs_mpi && p.other[0] == '\0');
    CHECK_EQ(p.globals, 3);
    CHECK(strstr(p.names, "counter") && strstr(p.names, "table"));
    CHECK(strstr(p.names, "calls") != NULL);
    read_program(argv[2], &p);
    CHECK(p.elf && p.needs_mpi);
    CHECK_EQ(p.globals, 0);

    char *data = read_file(argv[1], &n);
    snprintf(path, sizeof path, "%s/damaged.%d", argv[3], (int)getpid());
    for (size_t at = 0; at < 1024 && at < n; at += 4)
        damage(path, data, n, at);
    for (size_t at = n > 4096 ? n - 4096 : 0; at < n; at += 8)
        damage(path, data, n, at);
    for (size_t length = 0; length < n; length += n / 64 + 1) {
        write_file(path, data, length);
        read_program(path, &p);
    }
    unlink(path);
    free(data);
    return 0;
}
