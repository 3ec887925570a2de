/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"
#include "options.h"

static int set_mask(struct gf_options *o, double value)
{
    o->mask = (int)value;
    return value == o->mask && o->mask % 2 == 1 && o->mask >= 1 && o->mask <= MASK_SIZE_MAX;
}

static int set_sigma(struct gf_options *o, double value)
{
    o->sigma = value;
    return value >= 0.01 && value <= 100.0;
}

static int set_rows(struct gf_options *o, double value)
{
    o->rows = (int)value;
    return value == o->rows && o->rows >= 1;
}

static int set_cycles(struct gf_options *o, double value)
{
    o->cycles = (int)value;
    return value == o->cycles && o->cycles >= 0;
}

static const struct {
    const char *name, *help, *allowed;
    int (*set)(struct gf_options *o, double value); /* NULL: a flag */
    size_t flag;
} table[] = {
    {"--mask", "N       lines and columns of the mask (7)", "an odd number, 1 to 31", set_mask, 0},
    {"--sigma", "S      sigma of the Gaussian in pixels (0.8)", "a number, 0.01 to 100", set_sigma,
     0},
    {"--rows", "N       most rows in one stripe (by memory)", "a number, 1 or more", set_rows, 0},
    {"--cycles", "N     modelled cycles of one multiply-add (2)", "a number, 0 or more", set_cycles,
     0},
    {"--check", "       compare the result with a serial run", "", NULL,
     offsetof(struct gf_options, check)},
    {"--progress", "    show progress also where there is no terminal", "", NULL,
     offsetof(struct gf_options, progress)},
};

enum { OPTIONS = sizeof table / sizeof *table };

static int usage(FILE *to, int code)
{
    fprintf(to, "usage: gf [options] INPUT OUTPUT\n"
                "Filters a picture (8-bit PNG, PPM or PGM) with a Gaussian mask on all ranks.\n");
    for (int i = 0; i < OPTIONS; i++)
        fprintf(to, "  %s %s\n", table[i].name, table[i].help);
    return code;
}

/* Takes the option argv[*i] with its value; 0, or 2 after a message. */
static int take(struct gf_options *o, int argc, char **argv, int *i)
{
    const char *name = argv[*i];

    for (int k = 0; k < OPTIONS; k++) {
        if (strcmp(name, table[k].name) != 0)
            continue;
        if (!table[k].set) {
            *(bool *)((char *)o + table[k].flag) = true;
            return 0;
        }
        const char *text = *i + 1 < argc ? argv[++*i] : "nothing";
        char *end;
        double value = strtod(text, &end);
        if (end == text || *end || !(fabs(value) < 1e9) || !table[k].set(o, value)) {
            fprintf(stderr, "gf: %s must be %s, not %s\n", name, table[k].allowed, text);
            return 2;
        }
        return 0;
    }
    fprintf(stderr, "gf: there is no option %s; gf --help lists them\n", name);
    return 2;
}

int gf_options_read(struct gf_options *o, int argc, char **argv)
{
    const char *files[2] = {NULL, NULL};
    int found = 0;

    *o = (struct gf_options){.mask = 7, .sigma = 0.8, .cycles = 2};
    o->progress = isatty(STDERR_FILENO);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return usage(stdout, 0);
        if (argv[i][0] == '-' && argv[i][1]) {
            if (take(o, argc, argv, &i))
                return 2;
        } else if (found < 2) {
            files[found++] = argv[i];
        } else {
            fprintf(stderr, "gf: one input and one output, but there is also %s\n", argv[i]);
            return 2;
        }
    }
    if (found < 2) {
        fprintf(stderr, "gf: needs an input and an output picture; gf --help tells more\n");
        return 2;
    }
    o->input = files[0];
    o->output = files[1];
    return -1;
}
