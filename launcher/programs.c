/* SPDX-License-Identifier: MIT */
/* The programs of a job: found, and fit for where their ranks live. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan.h"

/* A program that does not use MPI may still run one that does: an interpreter with a script, a
 * debugger with a program, a shell with -c. */
static bool runs_another(char **command)
{
    struct stat st;
    for (int i = 1; command[i]; i++) {
        if (strcmp(command[i], "-c") == 0)
            return true;
        if (command[i][0] != '-' && stat(command[i], &st) == 0 && S_ISREG(st.st_mode))
            return true;
    }
    return false;
}

static void warn_of_globals(const struct program *p, const char *way_out)
{
    if (p->globals > 0)
        complain("warning: ranks share a process here, and with it %d writable global variable%s "
                 "of %.300s (%s%s); %s",
                 p->globals, p->globals == 1 ? "" : "s", p->path, p->names,
                 p->globals > 3 ? ", ..." : "", way_out);
    if (p->globals < 0)
        complain("warning: ranks share a process here, and with it the writable global variables "
                 "of %.300s (it has some, but no symbols that name them); %s",
                 p->path, way_out);
}

/* A library that calls MPI works for the program's ranks, and mostly keeps what it knows of one. */
static void warn_of_library(struct program *library)
{
    program_inspect_library(library);
    warn_of_globals(library, "link an archive of it (.a) to part them");
}

static int check(const struct plan *plan, const struct program *p, char **command)
{
    if (p->image != plan->bare) {
        complain(p->image
                     ? "%.400s is an image of bare metal; --machine riscv runs it"
                     : "%.400s is no image of bare metal, which machine %s runs; mpicc --machine "
                       "riscv makes one",
                 p->path, plan->machine.name);
        return EXIT_CANNOT_RUN;
    }
    if (p->image)
        return -1;
    if (p->elf && !p->needs_mpi && p->other[0] != '\0') {
        complain("%.400s was built for another MPI (it needs %s); build it with this mpicc",
                 p->path, p->other);
        return EXIT_CANNOT_RUN;
    }
    if (!plan->shared && !plan->virtual_time)
        return -1;
    if (p->elf && !runs_another(command) && !program_loads_mpi(p)) {
        complain("%.400s does not use MPI (it does not need libmpi_abi.so.1), so it cannot run %s; "
                 "build it with mpicc, or run it as a process per rank with --machine linux%s",
                 p->path,
                 plan->virtual_time ? "in virtual time" : "as several ranks in one process",
                 plan->virtual_time ? "" : " and without --ranks-per-cluster");
        return EXIT_CANNOT_RUN;
    }
    if (!plan->shared)
        return -1;
    warn_of_globals(p, "compile with -fPIE and link with -pie to part them");
    if (p->needs_others && !runs_another(command))
        program_libraries(p, warn_of_library);
    return -1;
}

/* Programs that share a process share its environment and its folder. */
static int check_sharing(const struct plan *plan, int i)
{
    const struct app *first = &plan->request->app[0], *a = &plan->request->app[i];
    bool apart = plan->request->apps == 1 || !(plan->shared || plan->virtual_time);
    const char *where = first->wdir ? first->wdir : "";
    if (apart || (a->envs == 0 && strcmp(a->wdir ? a->wdir : "", where) == 0))
        return -1;
    complain("%.200s: %s of one program cannot differ from the others' where ranks share a process;"
             " %s for all, or --machine linux without --ranks-per-cluster",
             a->command[0], a->envs > 0 ? "variables (-env)" : "the folder (--wdir)",
             a->envs > 0 ? "-genv sets one" : "give the same --wdir");
    return EXIT_USAGE;
}

/* A program's path may be relative to where it will run. */
static int find(struct plan *plan, int i)
{
    const struct app *a = &plan->request->app[i];
    struct program *p = &plan->program[i];
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int code = check_sharing(plan, i);
    if (code < 0 && a->wdir && chdir(a->wdir) < 0) {
        complain("--wdir %.400s: %s", a->wdir, strerror(errno));
        code = EXIT_USAGE;
    }
    if (code < 0)
        code = program_find(a->command[0], a->path, p);
    if (code < 0) {
        p->argv = debugger_words(a->command);
        program_inspect(p);
        code = check(plan, p, a->command);
    }
    char full[PATH_MAX];
    if (code < 0 && plan->request->apps > 1 && realpath(p->path, full))
        memcpy(p->path, full, sizeof full);
    if (here >= 0) {
        if (code < 0 && a->wdir && fchdir(here) < 0) {
            complain("cannot return from --wdir %.300s: %s", a->wdir, strerror(errno));
            code = EXIT_CANNOT_RUN;
        }
        close(here);
    }
    return code;
}

int plan_programs(struct plan *plan)
{
    int apps = plan->request->apps, code = -1;
    plan->program = calloc((size_t)apps, sizeof *plan->program);
    if (!plan->program) {
        complain("out of memory for %d programs", apps);
        return EXIT_CANNOT_RUN;
    }
    for (int i = 0; i < apps && code < 0; i++)
        code = find(plan, i);
    return code < 0 ? plan_export_programs(plan) : code;
}
