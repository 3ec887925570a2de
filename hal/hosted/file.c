/* SPDX-License-Identifier: MIT */
#include <hal/hosted.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hal_file_close(FILE *f)
{
    bool refused = ferror(f);
    if (fclose(f) != 0)
        return false;
    if (refused)
        errno = EIO;
    return !refused;
}

bool hal_file_on_disk(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* What the name is a link to is emptied only: it may be the standard output. */
void hal_file_discard(const char *path)
{
    struct stat st;
    if (truncate(path, 0) == 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

bool hal_file_keep(FILE *f, const char *path)
{
    if (f && hal_file_close(f))
        return true;
    int why = errno;
    if (f)
        hal_file_discard(path);
    errno = why;
    return false;
}

bool hal_file_finish(FILE *f, const char *who, const char *option, const char *path)
{
    if (hal_file_keep(f, path))
        return true;
    fprintf(stderr, "%s: %s %s: cannot write this file: %s\n", who, option, path, strerror(errno));
    return false;
}

void hal_trace_refused(const char *path, int why, const char *more)
{
    const char *purpose = getenv("LWMPI_TRACE_FOR");
    if (purpose && *purpose != '\0')
        fprintf(stderr, "lwmpi: %s: cannot write its trace: %s%s\n", purpose, strerror(why), more);
    else
        fprintf(stderr, "lwmpi: --trace %s: cannot write this file: %s%s\n", path, strerror(why),
                more);
}

int hal_status(int status, bool all_written)
{
    return status == 0 && !all_written ? 128 + SIGPIPE : status;
}
