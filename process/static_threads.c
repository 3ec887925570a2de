/* SPDX-License-Identifier: MIT */
/* Static programs in MPI: what the linker's --wrap puts in place of the C library's ways to make a
 * thread (static.c), and that nobody helps while they compute (helper.c). */
#include <process/helper.h>
#include <process/parent.h>
#include <process/threads.h>

image_pthread_create __real_pthread_create, __wrap_pthread_create;
image_thrd_create __real_thrd_create, __wrap_thrd_create;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *arg)
{
    return image_parent_pthread(__real_pthread_create, thread, attributes, run, arg);
}

int __wrap_thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
    return image_parent_thrd(__real_thrd_create, thread, run, arg);
}

/* No call of MPI stands aside for a helper: there is none. */
bool image_helper_allow(struct mpu_rank *r)
{
    (void)r;
    return false;
}

bool image_helper_armed(void)
{
    return false;
}

void image_helper_back(void)
{
}

bool image_helper_away(void)
{
    return false;
}

void image_helper_stop(void)
{
    image_threads_abandon();
}
