/* SPDX-License-Identifier: MIT */
/* Options of other launchers that have no meaning here. What only tunes or tells is passed over;
 * what asks for something else than happens here is refused. */
#include <string.h>

#include "options.h"

static const struct foreign table[] = {
    {{"mca", "gmca", "omca", "pmixmca", "prtemca"},
     2,
     "this MPI has its own settings, the variables LWMPI_*"},
    {{"tune", "am"}, 1, "this MPI has its own settings, the variables LWMPI_*"},
    {{"iface", "launcher", "bootstrap", "rmk", "launcher-exec", "arch", "default-hostfile"},
     1,
     "all ranks run on this computer, so there is nothing to choose"},
    {{"demux"}, 1, "mpiexec waits for all its ranks in one way"},
    {{"disable-hostname-propagation"}, 0, "all ranks run on this computer"},
    {{"prefix"}, 1, "programs know where their libraries are"},
    {{"report-bindings", "display-map", "display-allocation", "print-rank-map"},
     0,
     "-v says what is started; --bind-to and --map-by say where"},
    {{"display"}, 1, "-v says what is started; --bind-to and --map-by say where"},
    {{"use-hwthread-cpus"}, 0, "ranks may share processors; --bind-to hwthread binds them"},
    {{"genvlist", "envlist"}, 1, "all variables are passed on"},
    {{"q", "quiet"}, 0, NULL}, /* also not that it is passed over */
    {{"cpus-per-proc", "cpus-per-rank"}, REFUSED, "--map-by core:pe=N"},
    {{"rank-by", "ordering"}, REFUSED, "--map compact, or --map scatter"},
    {{"bind-to-core"}, REFUSED, "--bind-to core"},
    {{"bind-to-socket"}, REFUSED, "--bind-to socket"},
    {{"bind-to-none"}, REFUSED, "--bind-to none"},
    {{"bycore", "byslot"}, REFUSED, "--map-by core"},
    {{"bysocket", "npersocket"}, REFUSED, "--map-by socket, and -n N for the number of ranks"},
    {{"bynode"}, REFUSED, "--map-by node"},
    {{"pernode"}, REFUSED, "-ppn 1"},
    {{"rankfile", "rf"}, REFUSED, "--map-by and --bind-to say where ranks run"},
    {{"cpu-set", "cpu-list"}, REFUSED, "taskset -c LIST before mpiexec"},
    {{"app"}, REFUSED, "-configfile FILE"},
    {{"soft"}, REFUSED, "-n N: there are as many ranks as that, or none"},
    {{"maxtime"}, REFUSED, "--timeout S"},
    {{"initial-errhandler"},
     REFUSED,
     "errors end the job until the program calls MPI_Comm_set_errhandler"},
    {{"enable-recovery", "with-ft"}, REFUSED, "a rank that dies ends the job"},
    {{"gdb", "gdba", "xterm", "tv", "debug"},
     REFUSED,
     "mpiexec -n 1 gdb --args ./prog : -n 3 ./prog"},
    {{"prepend-pattern", "timestamp-output"}, REFUSED, "-l puts the rank before each line"},
    {{"output"}, REFUSED, "-l puts the rank before each line, -outfile-pattern NAME is for files"},
    {{"output-filename"}, REFUSED, "-outfile-pattern NAME, with %r for the rank"},
    {{"merge-stderr-to-stdout"}, REFUSED, "2>&1 behind the command"},
    {{"stdin", "s"}, REFUSED, "rank 0 reads standard input"},
    {{"genvnone", "envnone"}, REFUSED, "env -i before mpiexec leaves no variables"},
    {{"gpath", "gwdir"}, REFUSED, "-path and -wdir before each program"},
    {{"info"}, REFUSED, "--version"},
};

const struct foreign *foreign(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (size_t k = 0; k < FOREIGN_NAMES && table[i].names[k]; k++)
            if (strcmp(table[i].names[k], name) == 0)
                return &table[i];
    }
    return NULL;
}
