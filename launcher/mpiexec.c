/* SPDX-License-Identifier: MIT */
/* mpiexec: runs a program as the ranks of a job. The table of contents. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "job.h"
#include "options.h"
#include "plan.h"
#include "sweep.h"

/* The caller may have closed standard input, output or error: open them, so that no pipe is one. */
static void open_standard(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

static int run(struct request *request, struct plan *plan, int argc, char **argv)
{
    int code;

    if ((code = options_parse(request, argc, argv)) >= 0) /* what is asked for */
        return code;
    if (request->sweep) /* the same for each value */
        return sweep_jobs(request);
    sweep_set_variable();
    if ((code = plan_make(request, plan)) >= 0) /* machine, processes, ranks */
        return code;
    if ((code = plan_export(plan, request)) >= 0) /* the environment of the ranks */
        return code;
    if ((code = plan_programs(plan)) >= 0) /* the programs' files */
        return code;
    return job_run(request, plan); /* processes, output, end */
}

/* What mpiexec itself prints, as --help, --sweep and --profile do, may have come to nothing. */
static int told(int code)
{
    int e = fflush(stdout) != 0 ? errno : 0;
    code = hal_status(code, !ferror(stderr)); /* there is nowhere to say why */
    if (!ferror(stdout))
        return code;
    if (e != EPIPE) /* a reader that has had enough */
        complain("cannot write standard output: %s",
                 e == 0 ? "some text is lost; is the disk full?" : strerror(e));
    return hal_status(code, false);
}

int main(int argc, char **argv)
{
    struct request request = {0};
    struct plan plan = {0};

    open_standard();
    if (!again_remember(argv)) {
        complain("out of memory");
        return EXIT_CANNOT_RUN;
    }
    int code = told(run(&request, &plan, argc, argv));
    free(plan.program);
    options_free(&request);
    return code;
}
