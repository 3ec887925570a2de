/* SPDX-License-Identifier: MIT */
/* gf: the Gaussian filter of the CAP benchmarks, on real pictures and on made ones. gf.h says who
 * does what. */
#include <stddef.h>
#include <unistd.h>

#include "common/options.h"
#include "chunks.h"
#include "filter.h"
#include "gf.h"

enum { IMAGES_PER_CLUSTER = 1200, SIDE = 256 }; /* uller-2021, table 5 */
enum { QUICK_PER_CLUSTER = 2, QUICK_SIDE = 48 };
/* Of a multiply-add: two loads and a multiplication of bytes; as published, two loads, and a
 * conversion, a multiplication and an addition of floats, at the prices of mppa256, and a share of
 * the loop. */
enum { CYCLES = 2, CYCLES_PUBLISHED = 7 };

#define AT(field) offsetof(struct gf_options, field)

static const struct option table[] = {
    {"--mask", "N", "lines and columns of the mask (7)", OPTION_INT, AT(mask), 1, MASK_SIZE_MAX, 2,
     "an odd number, 1 to 31"},
    {"--sigma", "S", "sigma of the Gaussian in pixels (0.8)", OPTION_REAL, AT(sigma), 0.01, 100, 0,
     "a number, 0.01 to 100"},
    {"--rows", "N", "most rows in one stripe (by memory)", OPTION_INT, AT(rows), 1, 1e9, 0,
     "a number, 1 or more"},
    {"--images", "N", "filter N made images instead of a file", OPTION_INT, AT(images), 1, 1e8, 0,
     "a number, 1 or more"},
    {"--side", "N", "side of a made image in pixels (256)", OPTION_INT, AT(side), 1, 4096, 0,
     "a number, 1 to 4096"},
    {"--paper", "", "1200 made images for each cluster", OPTION_FLAG, AT(paper), 0, 0, 0, ""},
    {"--published", "", "deal made images as the program does that uller-2021 measured",
     OPTION_FLAG, AT(published), 0, 0, 0, ""},
    OPTION_CYCLES("one multiply-add (2; 7 as published)", AT(cycles)),
    OPTION_QUICK("2 small made images for each cluster", AT(quick)),
    OPTION_CHECK(AT(check)),
    {"--progress", "", "show progress also where there is no terminal", OPTION_FLAG, AT(progress),
     0, 0, 0, ""},
    {.name = NULL},
};

static const struct usage usage = {
    .program = "gf",
    .arguments = "[INPUT OUTPUT]",
    .about = "Filters a picture (8-bit PNG, PPM or PGM) with a Gaussian mask on all ranks.\n",
    .option = table,
    .files_most = 2,
    .files_offset = AT(file),
};

/* What the command line left open. -1 to go on, or the exit code. */
static int complete(struct gf_options *o, const struct team *t)
{
    if (o->paper && !o->images)
        o->images = IMAGES_PER_CLUSTER * t->clusters;
    if (o->quick && !o->images)
        o->images = QUICK_PER_CLUSTER * t->clusters;
    if (!o->side)
        o->side = o->quick ? QUICK_SIDE : SIDE;
    if (o->cycles < 0)
        o->cycles = o->published ? CYCLES_PUBLISHED : CYCLES;
    if (o->published && (!o->images || o->side % CHUNK_SIDE))
        return options_refuse(&usage, t->rank == 0,
                              "--published needs made images with sides of whole 64 points");
    if (o->images && o->file[0])
        return options_refuse(&usage, t->rank == 0, "filters made images or a picture, not both");
    if (!o->images && !o->file[1])
        return options_refuse(&usage, t->rank == 0,
                              "needs an input and an output picture, or --images");
    return -1;
}

int main(int argc, char **argv)
{
    struct gf_options options = {.mask = 7, .sigma = 0.8, .cycles = -1};
    struct team t;

    team_begin(&t, &argc, &argv);
    options.progress = t.rank == 0 && isatty(STDERR_FILENO);
    int code = options_read(&usage, &options, argc, argv, t.rank == 0);
    if (code < 0)
        code = complete(&options, &t);
    t.published = options.published;
    if (code < 0)
        code = t.rank == 0 ? gf_master(&t, &options) : gf_serve(&t);
    team_end(&t);
    return code;
}
