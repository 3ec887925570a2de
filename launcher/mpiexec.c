/* SPDX-License-Identifier: MIT */
/* mpiexec: runs a program as the ranks of a job. The table of contents. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "options.h"
#include "plan.h"
#include "program.h"

/* The caller may have closed standard input, output or error: open them, so that no pipe is one. */
static void open_standard(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    struct request request;
    struct plan plan;
    struct program program;
    int code;

    open_standard();
    if ((code = options_parse(&request, argc, argv)) >= 0) /* what is asked for */
        return code;
    if ((code = plan_make(&request, &plan)) >= 0) /* machine, processes, ranks */
        return code;
    if ((code = plan_export(&plan, &request)) >= 0) /* the environment of the ranks */
        return code;
    if (request.wdir != NULL && chdir(request.wdir) < 0) {
        complain("--wdir %.400s: %s", request.wdir, strerror(errno));
        return EXIT_USAGE;
    }
    if ((code = program_find(request.command[0], &program)) >= 0) /* the program's file */
        return code;
    program_inspect(&program);
    if ((code = plan_check_program(&plan, &program, request.command)) >= 0)
        return code;
    return job_run(&request, &plan, &program); /* processes, output, end */
}
