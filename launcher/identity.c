/* SPDX-License-Identifier: MIT */
#include "identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the second and third are those that other launchers give: scripts and libraries that
 * bind processes or choose devices ask for them before MPI_Init. */
static const char *const names[IDENTITY_VARIABLES] = {"LWMPI_JOB", "MPI_LOCALRANKID",
                                                      "MPI_LOCALNRANKS", "LWMPI_RANK"};

void identity_clear(void)
{
    for (int i = 0; i < IDENTITY_VARIABLES; i++)
        unsetenv(names[i]);
}

static void add_number(struct identity *id, int value)
{
    snprintf(id->text[id->n], sizeof id->text[0], "%s=%d", names[id->n], value);
    id->n++;
}

void identity_of(const struct run *run, int process, struct identity *id)
{
    *id = (struct identity){.n = 0};
    if (!run->job)
        return;
    int used = snprintf(id->text[0], sizeof id->text[0], "%s=", names[0]);
    hal_job_environment(run->job, process, id->text[0] + used, sizeof id->text[0] - (size_t)used);
    id->n = 1;
    if (run->plan->shared || process >= run->plan->processes)
        return;
    add_number(id, process); /* all processes of the job are on this computer */
    add_number(id, run->plan->processes);
    add_number(id, process);
}
