/* SPDX-License-Identifier: MIT */
/* The heat map: a box per cluster, an arrow per link and direction, coloured by the flits that
 * crossed it. Links round the edge of the torus are drawn as a stub at each of their ends. */
#include "heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/xml.h>

#include "noc.h"
#include "sim.h"

enum { BOX_W = 92, BOX_H = 50, STEP_X = 176, STEP_Y = 128, STUB = 40, LANE = 8, MARGIN = 64 };
enum { HEAD = 64, LEGEND = 84 };

struct point {
    int x, y;
};

/* How a link of each direction lies: from which side of a box, towards where, and its lane. */
static const struct direction {
    int dx, dy;
    struct point lane;
} directions[4] = {{1, 0, {0, -LANE}}, {-1, 0, {0, LANE}}, {0, 1, {LANE, 0}}, {0, -1, {-LANE, 0}}};

/* From a link without load to the most loaded one. */
static const unsigned char scale[][3] = {{0xfd, 0xe0, 0xa8},
                                         {0xfd, 0xae, 0x61},
                                         {0xf4, 0x6d, 0x43},
                                         {0xd7, 0x30, 0x27},
                                         {0x7f, 0, 0x1f}};

static uint64_t most(const struct hal_noc *noc)
{
    uint64_t max = 0;
    for (uint32_t i = 0; i < sim_noc_links(noc); i++)
        max = sim_noc_use.flits[i] > max ? sim_noc_use.flits[i] : max;
    return max;
}

static const char *colour(double share)
{
    static char text[8];
    int last = (int)(sizeof scale / sizeof scale[0]) - 1;
    int i = share >= 1 ? last - 1 : (int)(share * last);
    double part = share * last - i;
    int rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = (int)(scale[i][k] + (scale[i + 1][k] - scale[i][k]) * part + 0.5);
    snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
    return text;
}

/* A number in at most six characters: four digits. */
static const char *brief(uint64_t n)
{
    static char text[16];
    static const char units[] = " kMGTPE";
    int unit = 0;
    double v = (double)n;
    while (v >= 9999.5) {
        v /= 1000;
        unit++;
    }
    snprintf(text, sizeof text, unit == 0 ? "%.0f" : "%.4g%c", v, units[unit]);
    return text;
}

static void arrow(FILE *f, struct point a, struct point b, uint64_t flits, uint64_t max, bool stub)
{
    const char *stroke = flits == 0 ? "#d8d8d8" : colour((double)flits / (double)max);
    double width = flits == 0 ? 1.5 : 2 + 4 * (double)flits / (double)max;
    fprintf(
        f,
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n",
        a.x, a.y, b.x, b.y, stroke, width, stub ? " stroke-dasharray=\"6 3\"" : "");
    int dx = (b.x > a.x) - (b.x < a.x), dy = (b.y > a.y) - (b.y < a.y);
    fprintf(f, "<polygon points=\"%d,%d %d,%d %d,%d\" fill=\"%s\"/>\n", b.x, b.y,
            b.x - 9 * dx - 5 * dy, b.y - 9 * dy - 5 * dx, b.x - 9 * dx + 5 * dy,
            b.y - 9 * dy + 5 * dx, stroke);
}

static void label(FILE *f, struct point a, struct point b, const struct direction *d,
                  uint64_t flits)
{
    int x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
    const char *anchor = "middle";
    if (d->dx != 0) {
        y += d->lane.y < 0 ? -6 : 14;
    } else {
        x += d->lane.x < 0 ? -6 : 6;
        y += 4;
        anchor = d->lane.x < 0 ? "end" : "start";
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"n\">%s</text>\n", x, y, anchor,
            brief(flits));
}

static struct point centre(uint32_t x, uint32_t y)
{
    return (struct point){MARGIN + STUB + BOX_W / 2 + (int)x * STEP_X,
                          HEAD + STUB + BOX_H / 2 + (int)y * STEP_Y};
}

static void link_draw(FILE *f, const struct hal_noc *noc, uint32_t node, int way, uint64_t max)
{
    const struct direction *d = &directions[way];
    uint32_t w = noc->torus_x, h = noc->torus_y, x = node % w, y = node / w;
    uint32_t tx = (x + w + (uint32_t)d->dx) % w, ty = (y + h + (uint32_t)d->dy) % h;
    if (tx == x && ty == y)
        return; /* a dimension of one node has no links */
    uint64_t flits = sim_noc_use.flits[4 * node + (uint32_t)way];
    struct point c = centre(x, y), e = centre(tx, ty);
    struct point out = {c.x + d->dx * BOX_W / 2 + d->lane.x, c.y + d->dy * BOX_H / 2 + d->lane.y};
    struct point in = {e.x - d->dx * BOX_W / 2 + d->lane.x, e.y - d->dy * BOX_H / 2 + d->lane.y};
    bool round = (int)tx != (int)x + d->dx || (int)ty != (int)y + d->dy;
    if (round) {
        struct point end = {out.x + d->dx * STUB, out.y + d->dy * STUB};
        struct point begin = {in.x - d->dx * STUB, in.y - d->dy * STUB};
        arrow(f, out, end, flits, max, true);
        arrow(f, begin, in, flits, max, true);
        out = begin;
    } else {
        arrow(f, out, in, flits, max, false);
    }
    if (flits > 0)
        label(f, out, in, d, flits);
}

static void box(FILE *f, const struct hal_noc *noc, uint32_t node)
{
    struct point c = centre(node % noc->torus_x, node / noc->torus_x);
    bool used = node < (uint32_t)sim.cluster_count;
    bool io = used && hal_machine_is_io(&sim.machine, (int)node);
    fprintf(f,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" "
            "stroke=\"#556\"%s/>\n",
            c.x - BOX_W / 2, c.y - BOX_H / 2, BOX_W, BOX_H,
            !used ? "none"
            : io  ? "#d9e7f5"
                  : "#eef0f4",
            used ? "" : " stroke-dasharray=\"4 4\"");
    if (!used) {
        fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">router</text>\n", c.x, c.y + 4);
        return;
    }
    const struct sim_cluster *cl = &sim.clusters[node];
    double busy = 0;
    for (int i = 0; i < cl->core_count; i++)
        busy += (double)sim_core_busy(&cl->cores[i]);
    double cycles = sim.now == 0 ? 1 : (double)sim.now;
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"b\">%s %" PRIu32 "</text>\n",
            c.x, c.y - 4, io ? "I/O" : "cluster", node);
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"n\">%.0f %% busy</text>\n",
            c.x, c.y + 14, 100 * busy / (cycles * cl->core_count));
}

static void legend(FILE *f, const struct hal_noc *noc, int height, uint64_t max)
{
    double cycles = sim.now == 0 ? 1 : (double)sim.now;
    int left = MARGIN + 60, top = height - LEGEND + 20, step = 6, steps = 50;
    for (int i = 0; i < steps; i++) {
        fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\" fill=\"%s\"/>\n",
                left + i * step, top, step, colour((i + 0.5) / steps));
    }
    for (int i = 0; i <= 2; i++) {
        uint64_t flits = max * (uint64_t)i / 2;
        fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"n\">%s</text>\n",
                left + i * step * steps / 2, top + 28, brief(flits));
        fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"n\">%.1f %%</text>\n",
                left + i * step * steps / 2, top + 42, 100 * (double)flits / cycles);
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\">flits of %" PRIu32 " bytes that crossed the link</text>\n",
            left + step * steps + 44, top + 28, noc->link_bytes);
    fprintf(f, "<text x=\"%d\" y=\"%d\">share of the link's capacity</text>\n",
            left + step * steps + 44, top + 42);
    fprintf(f, "<text x=\"%d\" y=\"%d\">dashed: round the edge; grey: unused</text>\n",
            left + step * steps + 44, top + 12);
}

static void write_all(FILE *f)
{
    const struct hal_noc *noc = &sim.machine.noc;
    int width = 2 * (MARGIN + STUB) + BOX_W + (int)(noc->torus_x - 1) * STEP_X;
    int height = HEAD + 2 * STUB + BOX_H + (int)(noc->torus_y - 1) * STEP_Y + LEGEND;
    width = width < 760 ? 760 : width;
    uint64_t max = most(noc);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#223\">\n"
            "<style>.n{font-size:11px;fill:#445}.b{font-weight:bold}.t{font-size:16px}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, width, height);
    char name[256];
    fprintf(f,
            "<text x=\"%d\" y=\"28\" class=\"t\">Data NoC of %s: %" PRIu64 " transfers, %" PRIu64
            " bytes in %" PRIu64 " cycles</text>\n",
            MARGIN, b_xml(sim.machine.name, name, sizeof name), sim_noc_use.transfers,
            sim_noc_use.bytes, sim.now);
    fprintf(f, "<text x=\"%d\" y=\"48\" class=\"n\">model %s, seed %" PRIu64 "</text>\n", MARGIN,
            sim.options.noc, sim.seed);
    for (uint32_t node = 0; node < sim_noc_nodes(noc); node++)
        for (int way = 0; way < 4; way++)
            link_draw(f, noc, node, way, max);
    for (uint32_t node = 0; node < sim_noc_nodes(noc); node++)
        box(f, noc, node);
    legend(f, noc, height, max);
    fprintf(f, "</svg>\n");
}

bool sim_heat_write(const char *path)
{
    FILE *f = fopen(path, "w");
    if (f)
        write_all(f);
    return hal_file_finish(f, "lwmpi", "--heat", path);
}
