/* SPDX-License-Identifier: MIT */
/* The table of contents of an image on bare metal: the job, services, MPI, ranks. */
#include <string.h>

#include <base/error.h>
#include <base/fmt.h>
#include <hal/virt.h>
#include <mpiutil/boot.h>
#include <sys/k_info.h>

#include "../services.h"
#include "main.h"
#include "rank.h"

/* The value of a variable of the job's environment, NULL: there is none. */
static const char *variable(const char *name)
{
    const struct hal_virt *v = hal_virt();
    const char *text = v->text;
    size_t n = strlen(name);
    for (uint32_t i = 0; i < v->arguments + v->variables; i++, text += strlen(text) + 1)
        if (i >= v->arguments && memcmp(text, name, n) == 0 && text[n] == '=')
            return text + n + 1;
    return NULL;
}

static int number(const char *name, int otherwise)
{
    const char *text = variable(name);
    bool minus = text && *text == '-';
    int n = 0;
    if (!text || *text == '\0')
        return otherwise;
    for (text += minus; *text >= '0' && *text <= '9' && n < 1000000; text++)
        n = n * 10 + *text - '0';
    return minus ? -n : n;
}

static _Noreturn void refuse(const char *what, int error)
{
    char why[256];
    b_fmt(why, sizeof why, "%s: %s", what, b_error_message(error));
    k_abort(1, why);
}

/* As mpiexec has found it to fit. */
static void read_job(struct svc_job *job, struct mpu_tuning *tuning)
{
    const struct hal_machine *m = &hal_virt()->machine;
    char why[256];
    int most;
    *job = (struct svc_job){.ranks = number("LWMPI_SIZE", 1),
                            .stack = m->stack_size,
                            .universe = number("LWMPI_UNIVERSE", 0)};
    job->per_cluster = number("LWMPI_RANKS_PER_CLUSTER", (int)m->compute_cores - m->asymmetric);
    if (variable("LWMPI_MAP") && svc_map_parse(variable("LWMPI_MAP"), &job->map) < 0)
        k_abort(2, "LWMPI_MAP must be compact or scatter");
    if (job->per_cluster < 1 || svc_spawn_check(job, (int)m->compute_clusters, &most) < 0)
        k_abort(2, "the ranks do not fit this machine; mpiexec says how many do");
    for (int i = 0; i < MPU_TUNES; i++) {
        const char *text = variable(mpu_tunes[i].variable);
        if (text && *text != '\0' &&
            mpu_tune_read(tuning, (enum mpu_tune_id)i, text, why, sizeof why) < 0)
            k_abort(2, why);
    }
}

static int run_ranks(struct svc_job *job, const struct mpu_tuning *tuning,
                     struct image_services *services)
{
    int e = mpu_cluster_init(job, tuning, &mpu_sets_noc);
    if (e < 0)
        refuse("MPI does not fit a cluster of this machine with so many ranks; fewer "
               "--ranks-per-cluster may",
               e);
    int status = image_services_run(services, bare_rank_main, job);
    if (status < 0)
        refuse("cannot start the ranks; fewer --ranks-per-cluster may do", status);
    mpu_cluster_fini();
    return status;
}

/* Clusters without ranks and servers end at once. */
int bare_cluster_main(void *arg)
{
    static struct svc_job job;
    static struct mpu_tuning tuning;
    struct image_services services;
    int status = 0;
    (void)arg;
    read_job(&job, &tuning);
    int e = image_services_begin(&services, &job, number("LWMPI_SERVICES", 0) != 0);
    if (e < 0)
        refuse("cannot start the services of a cluster", e);
    if (services.ranks)
        status = run_ranks(&job, &tuning, &services);
    image_services_end(&services);
    return status;
}
