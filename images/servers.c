/* SPDX-License-Identifier: MIT */
/* lwmpi-services: the process that is the I/O cluster of a job on machine linux. mpiexec starts it;
 * it is no rank and has no program. */
#include <unistd.h>

#include <base/error.h>
#include <process/image.h>

/* Of ranks, and here are none. */
const struct image_layer image_layer = {.name = "services"};

int image_program_load(struct image_program *p, char *why, size_t size)
{
    (void)p, (void)why, (void)size;
    return -B_ENOSYS;
}

int main(int argc, char **argv)
{
    return image_main(argc, argv, environ);
}
