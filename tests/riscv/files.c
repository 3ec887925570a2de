/* SPDX-License-Identifier: MIT */
/* Files and standard input on bare metal. files FOLDER: each rank works on files of its own there;
 * files input: rank 0 copies standard input to standard output, the others find its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mpi.h>

#define CHECK(x) ((x) ? (void)0 : failed(#x, __LINE__))

static int rank;
static char name[256], other[256];

static void failed(const char *what, int line)
{
    fprintf(stderr, "files.c:%d: rank %d: failed: %s (errno %d)\n", line, rank, what, errno);
    exit(1);
}

/* All that the file holds. */
static const char *content(void)
{
    static char text[64];
    FILE *f = fopen(name, "r");
    CHECK(f != NULL);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    CHECK(feof(f) && !ferror(f) && fclose(f) == 0);
    return text;
}

static void add(const char *mode, const char *text)
{
    FILE *f = fopen(name, mode);
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void streams(void)
{
    char text[8];
    CHECK(!fopen(name, "r") && errno == ENOENT);
    CHECK(!fopen(name, "r+") && errno == ENOENT);
    CHECK(!fopen(name, "?") && errno == EINVAL);
    add("w", "a longer text");
    add("w", "one");
    CHECK(strcmp(content(), "one") == 0);
    add("a", "two");
    CHECK(strcmp(content(), "onetwo") == 0);
    add("r+", "ONE");
    CHECK(strcmp(content(), "ONEtwo") == 0);
    CHECK(!fopen(name, "wx") && errno == EEXIST);
    FILE *f = fopen(name, "w+");
    CHECK(f && fputs("0123456789", f) >= 0 && fseek(f, -4, SEEK_CUR) == 0);
    CHECK(fread(text, 1, 8, f) == 4 && memcmp(text, "6789", 4) == 0);
    CHECK(fseek(f, 2, SEEK_SET) == 0 && fgetc(f) == '2' && ftell(f) == 3);
    CHECK(fseek(f, -1, SEEK_END) == 0 && fgetc(f) == '9' && fgetc(f) == EOF && fclose(f) == 0);
}

/* Also a last line without an end. */
static void lines(void)
{
    char text[8];
    add("w", "one\nlong line\n\nend");
    FILE *f = fopen(name, "r");
    CHECK(f && fgets(text, 8, f) == text && strcmp(text, "one\n") == 0);
    CHECK(fgets(text, 8, f) == text && strcmp(text, "long li") == 0);
    CHECK(fgets(text, 1, f) == text && text[0] == '\0');
    CHECK(fgets(text, 8, f) == text && strcmp(text, "ne\n") == 0);
    CHECK(fgets(text, 8, f) == text && strcmp(text, "\n") == 0);
    CHECK(fgets(text, 8, f) == text && strcmp(text, "end") == 0);
    CHECK(!fgets(text, 8, f) && feof(f) && strcmp(text, "end") == 0 && fclose(f) == 0);
}

static void descriptors(void)
{
    char text[8];
    struct stat s;
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644), more[64], n = 0;
    CHECK(fd > 2 && write(fd, "abcdef", 6) == 6);
    CHECK(lseek(fd, 0, SEEK_CUR) == 6 && lseek(fd, -4, SEEK_END) == 2);
    CHECK(read(fd, text, 8) == 4 && memcmp(text, "cdef", 4) == 0 && read(fd, text, 8) == 0);
    CHECK(lseek(fd, -7, SEEK_CUR) == -1 && errno == EINVAL);
    CHECK(fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 6);
    CHECK(stat(name, &s) == 0 && s.st_size == 6);
    CHECK(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
    CHECK(access(name, F_OK) == 0 && access(name, R_OK | W_OK) == 0);
    CHECK(access("/nowhere/at/all", F_OK) == -1 && errno == ENOENT);
    CHECK(read(fd, text, 1) == -1 && errno == EBADF && write(99, "x", 1) == -1 && errno == EBADF);
    CHECK(open(name, O_WRONLY | O_CREAT | O_EXCL, 0644) == -1 && errno == EEXIST);
    fd = open("/dev/full", O_WRONLY);
    CHECK(fd > 2 && write(fd, "x", 1) == -1 && errno == EIO && write(fd, "x", 0) == 0);
    CHECK(close(fd) == 0);
    fd = open(name, O_WRONLY | O_CREAT, 0644); /* keeps what is there */
    CHECK(write(fd, "AB", 2) == 2 && close(fd) == 0 && strcmp(content(), "ABcdef") == 0);
    while ((fd = open(name, O_RDONLY)) >= 0)
        more[n++] = fd;
    CHECK(errno == EMFILE && n > 8);
    while (n > 0)
        CHECK(close(more[--n]) == 0);
    CHECK(rename(name, other) == 0 && stat(name, &s) == -1 && errno == ENOENT);
    CHECK(stat(other, &s) == 0 && s.st_size == 6 && remove(other) == 0 && unlink(other) == -1);
    CHECK(errno == ENOENT && isatty(0) == 0 && fstat(1, &s) == 0 && S_ISCHR(s.st_mode));
}

/* A long file, which is left open, and flushed by nobody but the program's end. One that was closed
 * had a stream too, of which nothing may be left then. */
static void leave(void)
{
    int fd = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    CHECK(f && fclose(f) == 0 && remove(other) == 0 && !fdopen(fd, "?"));
    f = fdopen(1, "w");
    CHECK(f && fclose(f) <= 0);
    fd = rank % 2 == 0 ? -1 : open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    f = rank % 2 == 0 ? fopen(name, "w") : fdopen(fd, "w");
    CHECK(f != NULL);
    for (int i = 0; i < 20000; i++)
        CHECK(fprintf(f, "%d\n", i * (rank + 1)) > 0);
}

static void copy_input(void)
{
    int c, any = 0;
    while ((c = getchar()) != EOF) {
        any = 1;
        putchar(c);
    }
    CHECK(any == (rank == 0) && getchar() == EOF && feof(stdin));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(argc == 2);
    snprintf(name, sizeof name, "%s/file.%d", argv[1], rank);
    snprintf(other, sizeof other, "%s/other.%d", argv[1], rank);
    if (strcmp(argv[1], "input") == 0) {
        copy_input();
    } else {
        remove(name); /* of a run before */
        streams();
        lines();
        descriptors();
        leave();
    }
    MPI_Finalize();
    return 0;
}
