/* SPDX-License-Identifier: MIT */
/* Options of other launchers that have no meaning here, and what does the same. */
#include <string.h>

#include "options.h"

static const struct {
    const char *names[5];
    const char *instead;
} table[] = {
    {{"mca", "gmca", "omca", "pmixmca", "prtemca"},
     "this MPI has its own settings, the variables LWMPI_*"},
    {{"iface", "launcher", "bootstrap", "rmk", "launcher-exec"},
     "all ranks run on this computer, so there is nothing to choose"},
    {{"report-bindings", "display-map", "display", "display-allocation"},
     "-v says what is started; --bind-to and --map-by say where"},
    {{"use-hwthread-cpus"}, "--bind-to hwthread"},
    {{"cpus-per-proc", "cpus-per-rank"}, "--map-by core:pe=N"},
    {{"rank-by", "ordering"}, "--map compact, or --map scatter"},
    {{"output-filename"}, "-outfile-pattern NAME, with %r for the rank"},
    {{"merge-stderr-to-stdout"}, "2>&1 behind the command"},
    {{"stdin", "s"}, "rank 0 reads standard input"},
    {{"genvnone", "envnone", "genvlist", "envlist"},
     "all variables are passed on; env -i before mpiexec leaves none"},
    {{"gpath", "gwdir"}, "-path and -wdir before each program"},
    {{"info"}, "--version"},
    {{"q", "quiet"}, "nothing is said that was not asked for"},
};

const char *foreign(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (size_t k = 0; k < 5 && table[i].names[k] != NULL; k++) {
            if (strcmp(table[i].names[k], name) == 0)
                return table[i].instead;
        }
    }
    return NULL;
}
