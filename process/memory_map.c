/* SPDX-License-Identifier: MIT */
/* What the memory of each cluster was used for when most of it was, on machines in virtual time: a
 * table of the fullest one, a drawing of all. docs/sim.md, Memory. */
#include <stdlib.h>
#include <string.h>

#include <base/xml.h>
#include <hal/hosted.h>
#include <hal/machine.h>
#include <hal/trace.h>
#include <kernel/cluster.h>
#include <kernel/mem.h>
#include <process/image.h>

#include "budget.h"

enum { USES = KERN_CHARGES + 2 };
enum { BAR_W = 34, BAR_H = 140, STEP_X = 56, STEP_Y = 200, ROW = 16, LEFT = 30, TOP = 76 };

/* From the bottom of a bar up, and in the rows of the table. */
static const struct use {
    const char *name, *colour;
} uses[USES] = {
    {"kernel", "#4d4d4d"},           {"services and MPI", "#0072b2"},      {"stacks", "#56b4e9"},
    {"code of programs", "#f0e442"}, {"variables of programs", "#e69f00"}, {"malloc", "#d55e00"}};

/* The cluster is set from its boot to the end of the machine, which takes its last map. */
static struct {
    struct cluster *cluster;
    struct kern_memory_map map;
} of[HAL_CLUSTERS_MAX];

/* A cluster that ends says itself how much it had; those that others end do not. */
static void take_maps(void)
{
    for (int i = 0; i < HAL_CLUSTERS_MAX; i++) {
        if (!of[i].cluster)
            continue;
        kern_memory_map(of[i].cluster, &of[i].map);
        hal_count_max("memory.high", of[i].map.high);
    }
}

static void ended(void)
{
    take_maps();
    for (int i = 0; i < HAL_CLUSTERS_MAX; i++)
        of[i].cluster = NULL;
}

void image_memory_watch(void)
{
    of[kern_cluster()->id].cluster = kern_cluster();
    hal_at_end(ended);
}

static size_t used_for(const struct kern_memory_map *m, int use)
{
    return use == 0 ? m->pools : use == 1 ? m->pages : m->charged[use - 2];
}

/* -1: no cluster has begun. */
static int fullest(void)
{
    int most = -1;
    for (int i = 0; i < HAL_CLUSTERS_MAX; i++) {
        const struct kern_memory_map *m = &of[i].map, *best = &of[most < 0 ? 0 : most].map;
        if (m->limit > 0 && (most < 0 || m->high * best->limit > best->high * m->limit))
            most = i;
    }
    return most;
}

size_t image_memory_over(int *cluster)
{
    size_t most = 0;
    take_maps();
    for (int i = 0; i < HAL_CLUSTERS_MAX && image.memory == IMAGE_MEMORY_REPORT; i++) {
        const struct kern_memory_map *m = &of[i].map;
        if (m->high > m->limit && m->high - m->limit > most) {
            most = m->high - m->limit;
            *cluster = i;
        }
    }
    return most;
}

static size_t left(const struct kern_memory_map *m)
{
    return m->high < m->limit ? m->limit - m->high : 0;
}

static void row(FILE *to, const char *what, size_t bytes, size_t limit)
{
    fprintf(to, "lwmpi:   %-23s %7zu KB %5.1f %%\n", what, bytes / 1024,
            100.0 * (double)bytes / (double)limit);
}

void image_memory_print(FILE *to)
{
    int cluster = fullest();
    if (cluster < 0)
        return;
    const struct kern_memory_map *m = &of[cluster].map;
    fprintf(to, "lwmpi: the fullest cluster, %d, when most of its %zu KB was used:\n", cluster,
            m->limit / 1024);
    for (int i = 0; i < USES; i++)
        row(to, uses[i].name, used_for(m, i), m->limit);
    row(to, "free", left(m), m->limit);
}

/* The drawing ---------------------------------------------------------------------------------- */

static int per_row(int clusters)
{
    return clusters <= 64 ? 16 : 32;
}

static void box(FILE *f, int x, double y, double height, const char *colour)
{
    fprintf(f, "<rect x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"%s\">", x, y, BAR_W,
            height, colour);
}

static void bar(FILE *f, int cluster, int x, int y)
{
    const struct kern_memory_map *m = &of[cluster].map;
    bool io = hal_machine_is_io(hal_machine(), cluster);
    double top = y + BAR_H;
    box(f, x, y, BAR_H, "#f4f4f4");
    fprintf(f, "<title>cluster %d: %zu of %zu KB free</title></rect>\n", cluster, left(m) / 1024,
            m->limit / 1024);
    for (int i = 0; i < USES && m->limit > 0; i++) {
        size_t bytes = used_for(m, i);
        double height = BAR_H * (double)bytes / (double)(m->high + left(m));
        top -= height;
        box(f, x, top, height, uses[i].colour);
        fprintf(f, "<title>cluster %d: %s %zu KB</title></rect>\n", cluster, uses[i].name,
                bytes / 1024);
    }
    fprintf(f,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#556\"/>\n",
            x, y, BAR_W, BAR_H);
    fprintf(f, "<text x=\"%d\" y=\"%d\">%.0f %%</text>\n", x + BAR_W / 2, y - 4,
            m->limit == 0 ? 0 : 100.0 * (double)m->high / (double)m->limit);
    fprintf(f, "<text x=\"%d\" y=\"%d\" class=\"b\">%s%d</text>\n", x + BAR_W / 2, y + BAR_H + 14,
            io ? "I/O " : "", cluster);
}

static void legend(FILE *f, int y)
{
    for (int i = 0; i <= USES; i++) {
        int x = LEFT + i % 4 * 180, at = y + i / 4 * ROW;
        fprintf(f,
                "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\" "
                "stroke=\"#556\"/>\n<text x=\"%d\" y=\"%d\" class=\"l\">%s</text>\n",
                x, at, i < USES ? uses[i].colour : "#f4f4f4", x + 18, at + 10,
                i < USES ? uses[i].name : "free");
    }
}

static void draw(FILE *f)
{
    const struct hal_machine *m = hal_machine();
    int n = hal_machine_clusters(m), wide = per_row(n), rows = (n + wide - 1) / wide;
    int width = 2 * LEFT + (n < wide ? n : wide) * STEP_X, full = fullest();
    int height = TOP + rows * STEP_Y + 3 * ROW;
    char name[256];
    width = width < 760 ? 760 : width;
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#223\" "
            "text-anchor=\"middle\">\n"
            "<style>.b{font-weight:bold}.l{text-anchor:start}.t{font-size:16px}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, width, height);
    fprintf(f,
            "<text x=\"%d\" y=\"26\" class=\"l t\">Memory of the clusters of %s, each when most of "
            "it was used</text>\n",
            LEFT, b_xml(m->name, name, sizeof name));
    fprintf(f, "<text x=\"%d\" y=\"46\" class=\"l\">the fullest is cluster %d</text>\n", LEFT,
            full);
    for (int i = 0; i < n; i++)
        bar(f, i, LEFT + i % wide * STEP_X + (STEP_X - BAR_W) / 2, TOP + i / wide * STEP_Y);
    legend(f, TOP + rows * STEP_Y);
    fprintf(f, "</svg>\n");
}

bool image_memory_draw(const char *path)
{
    FILE *f = fopen(path, "w");
    if (f)
        draw(f);
    return hal_file_finish(f, "lwmpi", "--memory-map", path);
}
