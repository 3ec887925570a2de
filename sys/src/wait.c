/* SPDX-License-Identifier: MIT */
#include <sys/k_wait.h>

void k_wait_lock(struct k_wait *w)
{
    /* The holder never waits inside, so this ends; the kernel makes each try cheaper for others. */
    for (long tries = 0; !k_wait_trylock(w); tries++)
        k_relax(tries);
}
