/* SPDX-License-Identifier: MIT */
/* What the options do. Each function gets the request, the option's name as the user wrote it, and
 * its values; it returns -1, or the exit code of mpiexec after a complaint. */
#ifndef LAUNCHER_TAKE_H
#define LAUNCHER_TAKE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "options.h"

typedef int take_function(struct request *r, const char *name, char **value);

/* Values of one kind each, for the option's place in the request. */
take_function take_ranks, take_per_cluster, take_per_node, take_universe, take_timeout;
take_function take_machine, take_map, take_seed, take_noc, take_compute, take_memory, take_trace;
take_function take_set, take_sweep, take_chart, take_heat, take_memory_map, take_check;
take_function take_prove, take_faster, take_break, take_report, take_against;
take_function take_io, take_wdir, take_path, take_env, take_genv, take_export;
take_function take_output, take_errors, take_config;
take_function take_hosts, take_hostfile;
take_function take_bind, take_by, take_oversubscribe, take_nothing;

/* The files that a job writes, as they were before it: what an earlier job wrote is lost only to a
 * job that has begun, which shows when its programs are executed. They may write at once, so a file
 * that none of them has written is emptied after the job's end. */
#define TAKE_FILES 3

struct take_files {
    bool there[TAKE_FILES];
    struct stat was[TAKE_FILES];
};

/* -1, or the exit code after a complaint: two options name the same file. */
int take_files_apart(const struct request *r);

/* A trace that is for a report only, or for what is no file on a disk, gets a file without a name.
 * -1, or the exit code after a complaint. _handed_on: once it is whole, the pipe or device gets it;
 * false after a complaint. _dropped: it goes away. */
int take_trace_apart(struct request *r);
bool take_trace_handed_on(const struct request *r);
void take_trace_dropped(struct request *r);

void take_files_look(struct take_files *before);
void take_files_clear(const struct take_files *before);

/* The program that the options before it on the command line are about. */
static inline struct app *take_app(struct request *r)
{
    return &r->app[r->apps - 1];
}

#endif
