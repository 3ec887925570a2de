/* SPDX-License-Identifier: MIT */
/* The program that mpiexec starts: where it is and what its file says about it. */
#ifndef LAUNCHER_PROGRAM_H
#define LAUNCHER_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct program {
    char path[PATH_MAX];
    char **argv; /* as it is started */
    bool
        elf; /* a dynamically linked ELF file of this kind of computer, without our library in it */
    bool image;                 /* of the bare machine (hal/virt.h): mpicc --machine riscv */
    bool needs_mpi;             /* it names libmpi_abi.so.1 among its libraries */
    bool needs_others;          /* and some that are not MPI's, the C library's or a compiler's */
    char other[64];             /* it names this other MPI library instead, or "" */
    char interpreter[PATH_MAX]; /* its dynamic linker */
    bool fixed; /* it is built for one address, so ranks that share a process share its variables */
    int globals;     /* writable variables of its own that such ranks share, 0 if each has its own;
                  * -1: there are some, uncounted (no symbols) */
    char names[128]; /* a few of them, comma separated */
};

/* Finds the program as a shell would: by path, or in the folders of `folders` (colons between
 * them; may be NULL) and of $PATH. Returns -1, or the exit code after a complaint (does not exist,
 * a directory, not executable). */
int program_find(const char *name, const char *folders, struct program *p);

/* Reads the program's file into the fields after `path`. What cannot be read (a script, a foreign
 * or broken file) leaves them empty: the system decides later whether it can be executed. The file
 * is not trusted: every offset and size in it is checked. */
void program_inspect(struct program *p);

/* The same of a library, l->path: which ones it needs, and, if it uses MPI, its variables. */
void program_inspect_library(struct program *l);

/* Does any library that the program loads, directly or not, need libmpi_abi.so.1? Asks the
 * program's own dynamic linker, which lists the libraries without running the program. */
bool program_loads_mpi(const struct program *p);

/* Calls each(library) for every library that the program loads, directly or not, with its path
 * only. */
void program_libraries(const struct program *p, void (*each)(struct program *library));

/* home.c. The folder of mpiexec itself, or with `up` > 1 so many above its file; size of path:
 * PATH_MAX. False: it is not known, errno says why. */
bool home(int up, char *path);

/* debugger.c. The command as it is started: gdb has two words more. */
char **debugger_words(char **command);

#endif
