/* SPDX-License-Identifier: MIT */
/* The chart of --sweep as SVG: cycles and joules side by side, from 0 up. Values that double stand
 * at equal distances; words have a bar each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/xml.h>
#include <hal/hosted.h>

#include "sweep.h"

enum {
    WIDE = 360,
    HIGH = 240,
    LEFT = 80,
    TOP = 48,
    GAP = 90,
    FOOT = 54,
    MARKS = 4,
    TICKS = 9,
    LETTER = 7
};

/* Where run i lies, from 0 to 1. */
static double share(const struct sweep *s, const struct sweep_run *run, size_t runs, size_t i)
{
    if (s->words)
        return ((double)i + 0.5) / (double)runs;
    double first = atof(run[0].value), last = atof(run[runs - 1].value), at = atof(run[i].value);
    if (first == last)
        return 0.5;
    return s->times ? log(at / first) / log(last / first) : (at - first) / (last - first);
}

static double told(const struct sweep_run *run, int panel)
{
    return panel == 0 ? run->cycles : run->joules;
}

static void text(FILE *f, const char *words)
{
    char xml[512];
    fputs(b_xml(words, xml, sizeof xml), f);
}

/* Lines and numbers of the value axis. */
static void marks(FILE *f, int left, double most)
{
    for (int i = 0; i <= MARKS; i++) {
        double y = TOP + HIGH - (double)HIGH * i / MARKS;
        fprintf(f,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                left, left + WIDE, y, y, left - 6, y + 4, most * i / MARKS);
    }
}

/* How long the longest value is, in letters; what stands below the axis must have room. */
static size_t longest(const struct sweep_run *run, size_t runs)
{
    size_t most = 0;
    for (size_t i = 0; i < runs; i++)
        most = strlen(run[i].value) > most ? strlen(run[i].value) : most;
    return most;
}

/* Words that would overlap hang from the axis, turned by a quarter. */
static bool are_turned(const struct sweep *s, const struct sweep_run *run, size_t runs)
{
    return s->words && (longest(run, runs) + 2) * LETTER > WIDE / runs;
}

/* How far below the axis the names of values reach. */
static int depth(const struct sweep *s, const struct sweep_run *run, size_t runs)
{
    return are_turned(s, run, runs) ? 14 + (int)longest(run, runs) * LETTER : 22;
}

/* The name of a value below the axis. */
static void name(FILE *f, double x, const char *value, bool turned)
{
    if (turned)
        fprintf(f,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\" transform=\"rotate(-90 %.1f %d)\">",
                x + 4, TOP + HIGH + 8, x + 4, TOP + HIGH + 8);
    else
        fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, TOP + HIGH + 18);
    text(f, value);
    fprintf(f, "</text>\n");
}

/* A word says nothing of what lies between it and the next one. */
static void bar(FILE *f, double x, double high, size_t runs)
{
    double wide = fmin(60, 0.6 * WIDE / (double)runs);
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#3465a4\"/>\n",
            x - wide / 2, TOP + HIGH - high, wide, high);
}

static void line(FILE *f, const struct sweep *s, const struct sweep_run *run, size_t runs,
                 int panel, double most)
{
    int left = LEFT + panel * (WIDE + GAP);
    fprintf(f, "<polyline points=\"");
    for (size_t i = 0; i < runs; i++)
        fprintf(f, "%.1f,%.1f ", left + WIDE * share(s, run, runs, i),
                TOP + HIGH - HIGH * told(&run[i], panel) / most);
    fprintf(f, "\" fill=\"none\" stroke=\"#3465a4\" stroke-width=\"1.5\"/>\n");
}

static void draw(FILE *f, const struct sweep *s, const struct sweep_run *run, size_t runs,
                 int panel)
{
    int left = LEFT + panel * (WIDE + GAP);
    double most = 0;
    for (size_t i = 0; i < runs; i++)
        most = fmax(most, told(&run[i], panel));
    most = most > 0 ? most : 1;
    marks(f, left, most);
    fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"14\">%s</text>\n", left, TOP - 12,
            panel == 0 ? "cycles" : "joules");
    if (!s->words)
        line(f, s, run, runs, panel, most);
    size_t ticks = s->words ? runs : TICKS, each = (runs + ticks - 1) / ticks;
    for (size_t i = 0; i < runs; i++) {
        double x = left + WIDE * share(s, run, runs, i), high = HIGH * told(&run[i], panel) / most;
        if (s->words)
            bar(f, x, high, runs);
        else
            fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#3465a4\"/>\n", x,
                    TOP + HIGH - high);
        if (i % each == 0)
            name(f, x, run[i].value, are_turned(s, run, runs));
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.*s", left + WIDE / 2,
            TOP + HIGH + 18 + depth(s, run, runs), s->key_length, s->key);
    text(f, s->unit);
    fprintf(f, "</text>\n");
}

static void draw_all(FILE *f, const struct request *r, const struct sweep *s,
                     const struct sweep_run *run, size_t runs)
{
    int width = LEFT + 2 * WIDE + GAP + 24, height = TOP + HIGH + FOOT + depth(s, run, runs);
    const char *program = strrchr(r->app[0].command[0], '/');
    program = program ? program + 1 : r->app[0].command[0];
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#223\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, width, height);
    for (int panel = 0; panel < 2; panel++)
        draw(f, s, run, runs, panel);
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#667\">", width / 2,
            height - 8);
    text(f, program);
    fprintf(f, ", %d ranks on ", r->ranks);
    text(f, r->machine);
    fprintf(f, "; computation: ");
    text(f, run[0].computation);
    if (runs < s->values)
        fprintf(f, "; %zu of %zu values", runs, s->values);
    fprintf(f, "</text>\n");
    fprintf(f, "</svg>\n");
}

bool sweep_draw(const struct request *r, const struct sweep *s, const struct sweep_run *run,
                size_t runs)
{
    FILE *f = fopen(r->chart, "w");
    if (f)
        draw_all(f, r, s, run, runs);
    return hal_file_finish(f, "mpiexec", "--chart", r->chart);
}
