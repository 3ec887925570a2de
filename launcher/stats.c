/* SPDX-License-Identifier: MIT */
/* Statistics of a job as text. Counters named "<protocol>.messages" and "<protocol>.bytes" make one
 * line per protocol; "memory.high" is the most memory that any cluster used; the rest is printed as
 * it is. */
#include <inttypes.h>
#include <string.h>

#include <launcher/settings.h>
#include <launcher/stats.h>

static const char messages_suffix[] = ".messages", bytes_suffix[] = ".bytes";
static const char memory_prefix[] = "memory.", memory_high[] = "memory.high";

static const char *suffix(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot : "";
}

/* The counter "<first n bytes of name><suffix>", 0 if there is none. */
static uint64_t lookup(const struct launcher_stats *s, const char *name, size_t n, const char *end)
{
    const char *other;
    for (int i = 0; (other = s->name(s->source, i)); i++)
        if (strncmp(other, name, n) == 0 && strcmp(other + n, end) == 0)
            return s->sum(s->source, i);
    return 0;
}

static void print_counters(FILE *to, const struct launcher_stats *s)
{
    const char *name;
    for (int i = 0; (name = s->name(s->source, i)); i++) {
        const char *end = suffix(name);
        size_t stem = (size_t)(end - name);
        uint64_t value = s->sum(s->source, i);
        if (strcmp(end, messages_suffix) == 0)
            fprintf(to, "lwmpi: %-12.*s %" PRIu64 " messages, %" PRIu64 " bytes\n", (int)stem, name,
                    value, lookup(s, name, stem, bytes_suffix));
        else if (strcmp(name, memory_high) == 0)
            fprintf(to, "lwmpi: memory       %" PRIu64 " KB at most in a cluster\n", value / 1024);
        else if (strncmp(name, memory_prefix, strlen(memory_prefix)) == 0)
            fprintf(to, "lwmpi: %-12s %" PRIu64 " KB\n", name, value / 1024);
        else if (strcmp(end, bytes_suffix) != 0 || lookup(s, name, stem, messages_suffix) == 0)
            fprintf(to, "lwmpi: %-12s %" PRIu64 "\n", name, value);
    }
}

static void print_energy(FILE *to, const struct hal_result *r)
{
    if (r->energy_core < 0)
        fprintf(to, "lwmpi: energy       no model on this machine\n");
    else
        fprintf(to, "lwmpi: energy       %.6f J: cores %.6f, NoC %.6f, static %.6f\n",
                r->energy_core + r->energy_noc + r->energy_static, r->energy_core, r->energy_noc,
                r->energy_static);
}

static void print_setting(void *to, const char *text)
{
    fprintf(to, "lwmpi: set          %s\n", text);
}

void launcher_stats_print(FILE *to, const struct launcher_stats *s)
{
    const struct hal_result *r = &s->result;
    fprintf(to, "lwmpi: machine      %s%s%s\n", s->machine, r->noc ? ", network model " : "",
            r->noc ? r->noc : "");
    launcher_settings(false, print_setting, to);
    fprintf(to, "lwmpi: ranks        %d, mapping %s, at most %d in each of %d clusters\n",
            s->job.ranks, s->job.map == SVC_MAP_COMPACT ? "compact" : "scatter", s->job.per_cluster,
            s->clusters);
    fprintf(to, "lwmpi: time         %.9f s", r->seconds);
    if (r->cycles > 0)
        fprintf(to, ", %" PRIu64 " cycles at %.3f MHz", r->cycles, (double)s->hz / 1e6);
    fprintf(to, "\n");
    if (s->computation)
        fprintf(to, "lwmpi: computation  %s\n", s->computation);
    print_energy(to, r);
    print_counters(to, s);
    fprintf(to, "lwmpi: wall time    %.3f s of this computer", s->wall);
    if (r->events > 0)
        fprintf(to, ", %" PRIu64 " events", r->events);
    fprintf(to, "\n");
}
