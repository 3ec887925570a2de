/* SPDX-License-Identifier: MIT */
#include <hal/hosted.h>

#include <errno.h>

bool hal_file_close(FILE *f)
{
    bool refused = ferror(f);
    if (fclose(f) != 0)
        return false;
    if (refused)
        errno = EIO;
    return !refused;
}
