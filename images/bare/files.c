/* SPDX-License-Identifier: MIT */
/* Files of a program on bare metal: those of the computer that runs QEMU, which it asks by
 * semihosting. Operations and modes are numbered as in "Semihosting for AArch32 and AArch64" (Arm),
 * 5. A rank's descriptors are its own; the files are everybody's. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/virt.h>

#include "bare.h"

enum operation {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_REMOVE = 0x0e,
    SYS_RENAME = 0x0f,
    SYS_ERRNO = 0x13
};

/* Of SYS_OPEN, as the modes of fopen: all of binary files. */
enum mode { READ = 1, UPDATE = 3, WRITE = 5, WRITE_READ = 7, APPEND = 9, APPEND_READ = 11 };

#define FILES 16 /* open at a time, with the three standard ones */

static struct file {
    bool open, append;
    long handle;
    off_t at;
    FILE *stream; /* NULL: it has none */
} files[FILES];

/* An operation with up to four arguments; -1 and errno if it did not work. */
static long ask(enum operation what, long a, long b, long c, long d)
{
    const long arguments[] = {a, b, c, d};
    long answer = bare_host(what, arguments);
    if (answer == -1)
        errno = (int)bare_host(SYS_ERRNO, NULL);
    else if (answer < 0)
        errno = answer == -B_EFAULT ? EFAULT : answer == -B_EINVAL ? ENAMETOOLONG : ENOSYS;
    return answer < 0 ? -1 : answer;
}

static long ask_by_name(enum operation what, const char *name, long b)
{
    long n = (long)strlen(name);
    return what == SYS_OPEN ? ask(what, (long)name, b, n, 0) : ask(what, (long)name, n, 0, 0);
}

/* The open file, NULL and errno if there is none. */
static struct file *file_of(int fd)
{
    if (fd > STDERR_FILENO && fd < FILES && files[fd].open)
        return &files[fd];
    errno = EBADF;
    return NULL;
}

/* Which of the modes; -1 and errno. What may be written but is not to be cut off must be there, or
 * is made first. */
static long open_by(const char *name, int flags)
{
    bool reads = (flags & O_ACCMODE) != O_WRONLY, writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!writes)
        return ask_by_name(SYS_OPEN, name, READ);
    if ((flags & O_CREAT) != 0 && (flags & (O_EXCL | O_APPEND | O_TRUNC)) == O_APPEND)
        return ask_by_name(SYS_OPEN, name, reads ? APPEND_READ : APPEND);
    if ((flags & O_CREAT) != 0 && (flags & (O_EXCL | O_TRUNC)) == O_TRUNC)
        return ask_by_name(SYS_OPEN, name, reads ? WRITE_READ : WRITE);
    long handle = ask_by_name(SYS_OPEN, name, UPDATE);
    bool there = handle >= 0, wanted = (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
    if (there && wanted && (flags & O_TRUNC) == 0)
        return handle;
    if (there)
        ask(SYS_CLOSE, handle, 0, 0, 0);
    if (there && !wanted) {
        errno = EEXIST;
        return -1;
    }
    if (!there && ((flags & O_CREAT) == 0 || errno != ENOENT))
        return -1;
    return ask_by_name(SYS_OPEN, name, reads ? WRITE_READ : WRITE);
}

int open(const char *name, int flags, ...)
{
    int fd = STDERR_FILENO + 1;
    while (fd < FILES && files[fd].open)
        fd++;
    if (fd == FILES) {
        errno = EMFILE;
        return -1;
    }
    long handle = open_by(name, flags);
    if (handle < 0)
        return -1;
    files[fd] = (struct file){.open = true, .append = (flags & O_APPEND) != 0, .handle = handle};
    return fd;
}

int close(int fd)
{
    struct file *f = file_of(fd);
    if (fd >= 0 && fd < FILES)
        files[fd].stream = NULL;
    if (!f)
        return -1;
    f->open = false;
    return (int)ask(SYS_CLOSE, f->handle, 0, 0, 0);
}

static void flush_streams(void)
{
    for (int fd = 0; fd < FILES; fd++)
        if (files[fd].stream)
            fflush(files[fd].stream);
}

FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);

/* picolibc's own knows no list of streams, and loses what is not flushed when the program ends: so
 * mpicc puts this one in its place. */
FILE *__wrap_fdopen(int fd, const char *mode)
{
    FILE *f = __real_fdopen(fd, mode);
    if (f && fd >= 0 && fd < FILES) {
        files[fd].stream = f;
        bare_at_end = flush_streams;
    }
    return f;
}

/* picolibc's would open a file in the same way, but ask open, which is here, for less. */
FILE *fopen(const char *name, const char *mode)
{
    bool update = strchr(mode, '+') != NULL, create = *mode != 'r';
    int flags = update ? O_RDWR : create ? O_WRONLY : O_RDONLY;
    flags |= create ? O_CREAT : 0;
    flags |= *mode == 'w' ? O_TRUNC : *mode == 'a' ? O_APPEND : 0;
    flags |= strchr(mode, 'x') ? O_EXCL : 0;
    if (!strchr("rwa", *mode) || *mode == '\0') {
        errno = EINVAL;
        return NULL;
    }
    int fd = open(name, flags, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, mode);
    if (fd >= 0 && !f)
        close(fd);
    return f;
}

/* Standard input is opened by who reads it first. */
static struct file *input(void)
{
    struct file *f = &files[STDIN_FILENO];
    if (!f->open) {
        f->handle = ask_by_name(SYS_OPEN, HAL_VIRT_INPUT, READ);
        f->open = f->handle >= 0;
    }
    return f->open ? f : NULL;
}

/* What is left over is what the answer says. */
static ssize_t moved(struct file *f, enum operation what, const void *data, size_t n)
{
    long left = n > 0 ? ask(what, f->handle, (long)data, (long)n, 0) : 0;
    if (left < 0)
        return -1;
    f->at += (off_t)(n - (size_t)left);
    return (ssize_t)(n - (size_t)left);
}

ssize_t read(int fd, void *data, size_t n)
{
    if (fd == STDIN_FILENO && !bare_reads_input(bare_self))
        return 0;
    struct file *f = fd == STDIN_FILENO ? input() : file_of(fd);
    return f ? moved(f, SYS_READ, data, n) : -1;
}

ssize_t write(int fd, const void *data, size_t n)
{
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO) {
        bare_put(fd, data, n);
        return (ssize_t)n;
    }
    struct file *f = file_of(fd);
    if (!f || (f->append && lseek(fd, 0, SEEK_END) < 0))
        return -1;
    ssize_t written = moved(f, SYS_WRITE, data, n);
    if (written != 0 || n == 0)
        return written;
    errno = EIO; /* the answer says how much was left, not why */
    return -1;
}

static off_t length(const struct file *f)
{
    return (off_t)ask(SYS_FLEN, f->handle, 0, 0, 0);
}

off_t lseek(int fd, off_t offset, int whence)
{
    struct file *f = file_of(fd);
    off_t base = !f || whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : length(f);
    if (!f || base < 0)
        return -1;
    if (offset < -base || whence < SEEK_SET || whence > SEEK_END) {
        errno = EINVAL;
        return -1;
    }
    if (ask(SYS_SEEK, f->handle, (long)(base + offset), 0, 0) < 0)
        return -1;
    f->at = base + offset;
    return f->at;
}

/* A regular file of so many bytes is all that can be known. */
int fstat(int fd, struct stat *s)
{
    *s = (struct stat){.st_mode = S_IFCHR | S_IRUSR | S_IWUSR};
    if (fd >= STDIN_FILENO && fd <= STDERR_FILENO)
        return 0;
    const struct file *f = file_of(fd);
    if (!f)
        return -1;
    s->st_mode = S_IFREG | S_IRUSR | S_IWUSR;
    s->st_size = length(f);
    return s->st_size < 0 ? -1 : 0;
}

int stat(const char *name, struct stat *s)
{
    int fd = open(name, O_RDONLY), rc = fd < 0 ? -1 : fstat(fd, s);
    if (fd >= 0)
        close(fd);
    return rc;
}

/* By opening it; whether it may be run is not known. */
int access(const char *name, int how)
{
    int fd = open(name, (how & W_OK) != 0 ? O_RDWR : O_RDONLY);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? -1 : 0;
}

/* picolibc's has no answer, and loses what it read, where a file ends without an end of line. */
char *fgets(char *restrict text, int size, FILE *restrict f)
{
    int n = 0, c = 0;
    while (n < size - 1 && c != '\n' && (c = getc(f)) != EOF)
        text[n++] = (char)c;
    if (n == 0 && c == EOF)
        return NULL;
    text[n] = '\0';
    return text;
}

int unlink(const char *name)
{
    return (int)ask_by_name(SYS_REMOVE, name, 0);
}

int rename(const char *from, const char *to)
{
    return (int)ask(SYS_RENAME, (long)from, (long)strlen(from), (long)to, (long)strlen(to));
}

int isatty(int fd)
{
    (void)fd;
    errno = ENOTTY;
    return 0;
}

/* raise and abort are made of it. */
int kill(pid_t process, int signal)
{
    if (process == getpid())
        _exit(128 + signal);
    errno = ESRCH;
    return -1;
}
