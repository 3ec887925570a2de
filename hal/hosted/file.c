/* SPDX-License-Identifier: MIT */
#include <hal/hosted.h>

#include <errno.h>
#include <signal.h>

bool hal_file_close(FILE *f)
{
    bool refused = ferror(f);
    if (fclose(f) != 0)
        return false;
    if (refused)
        errno = EIO;
    return !refused;
}

int hal_status(int status, bool all_written)
{
    return status == 0 && !all_written ? 128 + SIGPIPE : status;
}
