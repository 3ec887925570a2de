/* SPDX-License-Identifier: MIT */
/* The chart of --sweep as SVG: cycles and joules side by side, from 0 up. Values that double stand
 * at equal distances. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sweep.h"

enum { WIDE = 360, HIGH = 240, LEFT = 80, TOP = 48, GAP = 90, FOOT = 76, MARKS = 4, TICKS = 9 };

/* Where a value lies, from 0 to 1. */
static double share(const struct sweep *s, const struct sweep_run *run, size_t runs, long value)
{
    double first = (double)run[0].value, last = (double)run[runs - 1].value, at = (double)value;
    if (first == last)
        return 0.5;
    return s->times ? log(at / first) / log(last / first) : (at - first) / (last - first);
}

static double told(const struct sweep_run *run, int panel)
{
    return panel == 0 ? run->cycles : run->joules;
}

/* Words of the user, of which none may end the text. */
static void text(FILE *f, const char *words)
{
    for (; *words != '\0'; words++)
        if (*words == '<' || *words == '&')
            fprintf(f, "&#%d;", *words);
        else
            fputc(*words, f);
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

static void draw(FILE *f, const struct sweep *s, const struct sweep_run *run, size_t runs,
                 int panel)
{
    int left = LEFT + panel * (WIDE + GAP);
    double most = 0;
    for (size_t i = 0; i < runs; i++)
        most = fmax(most, told(&run[i], panel));
    most = most > 0 ? most : 1;
    marks(f, left, most);
    fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"14\">%s</text>\n<polyline points=\"", left,
            TOP - 12, panel == 0 ? "cycles" : "joules");
    for (size_t i = 0; i < runs; i++)
        fprintf(f, "%.1f,%.1f ", left + WIDE * share(s, run, runs, run[i].value),
                TOP + HIGH - HIGH * told(&run[i], panel) / most);
    fprintf(f, "\" fill=\"none\" stroke=\"#3465a4\" stroke-width=\"1.5\"/>\n");
    size_t each = (runs + TICKS - 1) / TICKS;
    for (size_t i = 0; i < runs; i++) {
        double x = left + WIDE * share(s, run, runs, run[i].value);
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#3465a4\"/>\n", x,
                TOP + HIGH - HIGH * told(&run[i], panel) / most);
        if (i % each == 0)
            fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%ld</text>\n", x,
                    TOP + HIGH + 18, run[i].value);
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.*s", left + WIDE / 2,
            TOP + HIGH + 40, s->key_length, s->key);
    text(f, s->unit);
    fprintf(f, "</text>\n");
}

bool sweep_draw(const struct request *r, const struct sweep *s, const struct sweep_run *run,
                size_t runs)
{
    int width = LEFT + 2 * WIDE + GAP + 24, height = TOP + HIGH + FOOT;
    const char *program = strrchr(r->app[0].command[0], '/');
    program = program ? program + 1 : r->app[0].command[0];
    FILE *f = fopen(r->chart, "w");
    if (!f)
        return false;
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
    fprintf(f, "</text>\n");
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}
