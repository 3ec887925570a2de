/* SPDX-License-Identifier: MIT */
/* Processes that another launcher has started. Each would be a job of its own of one rank, and the
 * user would see the program run n times instead of once with n ranks. */
#include <stdlib.h>

#include <process/image.h>

/* Variables that only the tasks of a launcher have: an allocation has the number of its tasks in
 * the environment, too, but a program that is run in it as it is, or by our mpiexec, is no task. */
static const struct launcher {
    const char *name, *rank, *size;
} launchers[] = {
    {"Open MPI's mpirun or prterun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"Slurm's srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
    {"IBM's jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},
    {"MVAPICH's mpirun_rsh", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"MPICH's or Intel MPI's mpiexec", "PMI_RANK", "PMI_SIZE"},
};

bool image_foreign(char *why, size_t size)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const struct launcher *l = &launchers[i];
        const char *rank = getenv(l->rank), *tasks = getenv(l->size);
        if (!rank || !tasks || atoi(tasks) <= 1)
            continue;
        snprintf(why, size,
                 "%s=%.10s: %s started this, but a job of lwmpi is started by its own mpiexec: "
                 "mpiexec -n %.10s; with LWMPI_ALLOW_SINGLETON=1 each process is a job of one rank",
                 l->size, tasks, l->name, tasks);
        return true;
    }
    return false;
}
