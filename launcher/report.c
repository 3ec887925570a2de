/* SPDX-License-Identifier: MIT */
/* The data of a report: sums of the recorded calls, and the numbers over time of the trace. What it
 * looks like is told by report.html, which reads them. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include <hal/hosted.h>
#include <launcher/settings.h>

#include "json.h"
#include "path.h"
#include "profile.h"
#include "records.h"

#define BINS   240 /* stretches of time */
#define SERIES 2100
#define SITES  5
#define PARTS  10
#define BEGIN  "<script type=\"application/json\" id=\"run\">"
#define END    "</script>"

extern const char report_page[]; /* report.html, which ends where the data come */

static struct {
    double begin, end; /* seconds of the machine */
} span;

/* Adds a state that lasted from..to to the stretches of time that it was in, as shares of them. */
static void spread(double bins[BINS], double from, double to, double value)
{
    double width = (span.end - span.begin) / BINS;
    from = from < span.begin ? span.begin : from;
    to = to > span.end ? span.end : to;
    for (int i = (int)((from - span.begin) / width); i < BINS && from < to; i++) {
        double until = span.begin + (i + 1) * width;
        until = until < to ? until : to;
        if (until > from)
            bins[i] += value * (until - from) / width;
        from = until > from ? until : from;
    }
}

static void put_bins(FILE *to, const double bins[BINS])
{
    for (int i = 0; i < BINS; i++)
        fprintf(to, "%s%.4g", i == 0 ? "[" : ",", bins[i]);
    fputc(']', to);
}

/* --- ranks --- */

enum state { COMPUTES, WAITS, SENDS, STATES }; /* sends: and all else that is in MPI */

static void put_rank(FILE *to, int rank)
{
    double bins[STATES][BINS] = {{0}};
    double before = records_time(records_begin(rank));
    for (uint64_t i = records_first(rank); i < records_rank[rank].recorded; i++) {
        const struct profile_record *r = records_at(rank, i);
        if (r->part & PROFILE_MORE)
            continue;
        double begin = records_time(r->begin), end = records_time(r->end);
        double late = r->last > r->begin ? records_time(r->last) : begin;
        spread(bins[COMPUTES], before, begin, 1);
        spread(bins[WAITS], begin, late, 1);
        spread(bins[SENDS], late, end, 1);
        before = end;
    }
    spread(bins[COMPUTES], before, records_time(records_end(rank)), 1);
    for (int s = 0; s < STATES; s++) {
        fputs(s == 0 ? "[" : ",", to);
        put_bins(to, bins[s]);
    }
    fputc(']', to);
}

static void put_sites(FILE *to)
{
    struct profile_sum *sum;
    int n = profile_sites(&sum);
    for (int i = 0; i < n && i < SITES; i++) {
        char place[256];
        int most = profile_cause(&sum[i]);
        hal_place_name(&sum[i].place, place, sizeof place);
        fprintf(to, "%s{\"call\":\"%s\",\"place\":", i == 0 ? "" : ",", sum[i].name);
        json_text(to, place);
        fprintf(to, ",\"calls\":%llu,\"seconds\":%.9g,\"waited\":%.9g,\"why\":\"%s\",\"who\":%d",
                (unsigned long long)sum[i].calls, sum[i].seconds, sum[i].waited[most],
                profile_cause_name(most), sum[i].who);
        fprintf(to, ",\"open\":%.9g,\"opened\":%d}", sum[i].open, sum[i].opened);
    }
    free(sum);
}

static void put_path(FILE *to)
{
    struct path path;
    if (!path_find(&path))
        return;
    for (int i = 0; i < path.parts && i < PARTS; i++) {
        const struct path_part *p = &path.part[i];
        fprintf(to, "%s{\"rank\":%d,\"what\":\"%s\",\"seconds\":%.9g}", i == 0 ? "" : ",", p->rank,
                p->function < 0 ? "computation" : records_rank[p->rank].function[p->function].name,
                p->seconds);
    }
    free(path.part);
}

/* --- numbers over time --- */

/* One name of one row, as far as the trace was read. */
static struct series {
    char name[64];
    int row;
    double at, value, sum; /* since when it has been that; value times seconds */
    double most, bins[BINS];
} * series;
static int series_count;

static struct series *find(const char *name, int row)
{
    for (int i = 0; i < series_count; i++)
        if (series[i].row == row && strcmp(series[i].name, name) == 0)
            return &series[i];
    if (series_count == SERIES)
        return NULL;
    struct series *s = &series[series_count++];
    *s = (struct series){.row = row, .at = -1};
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static void lasts(struct series *s, double until)
{
    if (s->at < 0 || until <= s->at)
        return;
    spread(s->bins, s->at, until, s->value);
    s->sum += s->value * (until - s->at);
}

static void read_trace(const char *path)
{
    char line[1024], name[64];
    FILE *f = fopen(path, "r");
    series = f ? calloc(SERIES, sizeof *series) : NULL;
    while (series && fgets(line, sizeof line, f)) {
        double us, value;
        int row;
        if (sscanf(line,
                   "{\"ph\":\"C\",\"name\":\"%63[^\"]\",\"pid\":%d,\"ts\":%lf,\"args\":{\"%*[^\"]"
                   "\":%lf}}",
                   name, &row, &us, &value) != 4)
            continue;
        struct series *s = find(name, row);
        if (!s)
            continue;
        lasts(s, us * 1e-6);
        s->at = us * 1e-6;
        s->value = value;
        s->most = value > s->most ? value : s->most;
    }
    if (f)
        fclose(f);
}

static void put_series(FILE *to)
{
    for (int i = 0; series && i < series_count; i++) {
        struct series *s = &series[i];
        lasts(s, span.end);
        fprintf(to, "%s{\"name\":\"%s\",\"row\":%d,\"most\":%.6g,\"sum\":%.9g,\"bins\":",
                i == 0 ? "" : ",\n", s->name, s->row, s->most, s->sum);
        put_bins(to, s->bins);
        fputc('}', to);
    }
    free(series);
    series = NULL;
    series_count = 0;
}

struct list {
    FILE *to;
    bool more; /* something stands there */
};

static void put_setting(void *arg, const char *text)
{
    struct list *list = arg;
    fputs(list->more ? "," : "", list->to);
    json_text(list->to, text);
    list->more = true;
}

static void put_data(FILE *to, const struct plan *plan)
{
    const struct app *app = &plan->request->app[0];
    double seconds = 0;
    span.begin = -1;
    for (int i = 0; i < records_ranks; i++) {
        if (records_rank[i].begin == 0)
            continue;
        double begin = records_time(records_begin(i)), end = records_time(records_end(i));
        span.begin = span.begin < 0 || begin < span.begin ? begin : span.begin;
        span.end = end > span.end ? end : span.end;
        seconds = end - begin > seconds ? end - begin : seconds;
    }
    fprintf(to, "{\"machine\":");
    json_text(to, plan->machine.name);
    fprintf(to, ",\"virtual\":%s,\"ranks\":%d,\"begin\":%.9g,\"end\":%.9g,\"seconds\":%.9g",
            plan->virtual_time ? "true" : "false", records_ranks, span.begin, span.end, seconds);
    fprintf(to, ",\n\"command\":[");
    for (int i = 0; app->command[i]; i++) {
        fputs(i == 0 ? "" : ",", to);
        json_text(to, app->command[i]);
    }
    fprintf(to, "],\n\"settings\":[");
    launcher_settings(true, put_setting, &(struct list){.to = to});
    fprintf(to, "],\n\"states\":[\"computes\",\"waits for others\",\"sends, receives\"],\n"
                "\"ranks_over_time\":[");
    for (int i = 0; i < records_ranks; i++) {
        fputs(i == 0 ? "\n" : ",\n", to);
        put_rank(to, i);
    }
    fprintf(to, "],\n\"sites\":[");
    put_sites(to);
    fprintf(to, "],\n\"path\":[");
    put_path(to);
    fprintf(to, "],\n\"numbers\":[");
    read_trace(plan->options.trace);
    put_series(to);
    fprintf(to, "]}");
}

char *report_read(const char *path)
{
    char *text = NULL, *data = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    ssize_t n = f ? getdelim(&text, &size, '\0', f) : -1;
    char *begin = n < 0 ? NULL : strstr(text, BEGIN);
    char *end = begin ? strstr(begin, END) : NULL;
    if (end)
        data = strndup(begin + strlen(BEGIN), (size_t)(end - begin) - strlen(BEGIN));
    if (f)
        fclose(f);
    free(text);
    return data;
}

static int told(void)
{
    int n = 0;
    for (int i = 0; i < records_ranks; i++)
        n += records_rank[i].begin > 0;
    return n;
}

bool report_write(const struct plan *plan)
{
    const struct request *r = plan->request;
    char *other = r->against ? report_read(r->against) : NULL;
    FILE *to = told() == 0 ? NULL : fopen(r->report, "w");
    if (told() == 0)
        complain("--report %s: no rank has recorded anything; it is for programs that are linked "
                 "with the shared library and call MPI_Init",
                 r->report);
    if (to) {
        fprintf(to, "%s" BEGIN "\n", report_page);
        put_data(to, plan);
        fprintf(to, "\n" END "\n<script type=\"application/json\" id=\"against\">%s" END "\n",
                other ? other : "null");
        fprintf(to, "<script>show()</script>\n</body>\n</html>\n");
    }
    bool whole = told() == 0 || hal_file_finish(to, "mpiexec", "--report", r->report);
    free(other);
    return whole;
}
