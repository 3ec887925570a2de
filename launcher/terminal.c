/* SPDX-License-Identifier: MIT */
/* A program shows progress only on a terminal. The standard error of rank 0 stays one, although
 * mpiexec stands between, when mpiexec's own is. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int terminal_pair(int like, int *ours, int *theirs)
{
    char name[64];
    struct termios mode;
    struct winsize size;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave = -1;
    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
        ptsname_r(master, name, sizeof name) == 0)
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0 || tcgetattr(slave, &mode) < 0) {
        int e = errno == 0 ? EIO : errno;
        if (master >= 0)
            close(master);
        if (slave >= 0)
            close(slave);
        return -e;
    }
    cfmakeraw(&mode); /* the bytes as they are: the real terminal translates line ends */
    tcsetattr(slave, TCSANOW, &mode);
    if (ioctl(like, TIOCGWINSZ, &size) == 0)
        ioctl(slave, TIOCSWINSZ, &size);
    *ours = master;
    *theirs = slave;
    return 0;
}
