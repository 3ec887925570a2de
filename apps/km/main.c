/* SPDX-License-Identifier: MIT */
/* km: k-means, on made points and on the colours of a picture. km.h says who does what. */
#include <stddef.h>

#include "common/options.h"
#include "km.h"

enum { POINTS_PER_CLUSTER = 13440, CENTROIDS = 128 }; /* uller-2021, table 5 */
enum { QUICK_PER_CLUSTER = 300, QUICK_CENTROIDS = 8, PICTURE_CENTROIDS = 16 };

/* Of a dimension of a distance, between integers: load, subtract, multiply-add, a share of the
 * comparison; as published two loads, a subtraction, a multiplication and an addition of floats, at
 * the prices of mppa256, and a share of the loop. */
enum { CYCLES = 4, CYCLES_PUBLISHED = 7 };

#define AT(field) offsetof(struct km_options, field)

static const struct option table[] = {
    {"--points", "N", "how many made points (13440 for each cluster)", OPTION_INT, AT(points), 1,
     1e9, 0, "a number, 1 or more"},
    {"--dimensions", "D", "of a made point (2)", OPTION_INT, AT(dimensions), 1, DIMENSIONS_MAX, 0,
     "a number from 1 to 4"},
    {"--centroids", "K", "how many (128; 16 for a picture)", OPTION_INT, AT(centroids), 1,
     CENTROIDS_MAX, 0, "a number from 1 to 256"},
    {"--iterations", "N", "most passes over the points (20)", OPTION_INT, AT(iterations), 1, 1e9, 0,
     "a number, 1 or more"},
    {"--published", "", "with the messages of the program that uller-2021 measured", OPTION_FLAG,
     AT(published), 0, 0, 0, ""},
    OPTION_CYCLES("a dimension of a distance (4; 7 as published)", AT(cycles)),
    OPTION_QUICK("300 points for each cluster, 8 centroids", AT(quick)),
    OPTION_CHECK(AT(check)),
    {.name = NULL},
};

static const struct usage usage = {
    .program = "km",
    .arguments = "[INPUT OUTPUT]",
    .about = "Finds clusters of points by k-means: of made points, or of the colours of a picture\n"
             "(8-bit PNG, PPM or PGM), which then gets the colours of its centroids.\n",
    .option = table,
    .files_most = 2,
    .files_offset = AT(file),
};

/* What the command line left open. -1 to go on, or the exit code. */
static int complete(struct km_options *o, const struct team *t)
{
    int made = o->quick ? QUICK_CENTROIDS : CENTROIDS;

    if (o->file[0] && !o->file[1])
        return options_refuse(&usage, t->rank == 0, "needs an output picture, too");
    if (o->file[0] && o->points)
        return options_refuse(&usage, t->rank == 0, "takes made points or a picture, not both");
    if (!o->points)
        o->points = (o->quick ? QUICK_PER_CLUSTER : POINTS_PER_CLUSTER) * t->clusters;
    if (o->cycles < 0)
        o->cycles = o->published ? CYCLES_PUBLISHED : CYCLES;
    if (!o->centroids)
        o->centroids = o->file[0] ? PICTURE_CENTROIDS : made;
    return -1;
}

int main(int argc, char **argv)
{
    struct km_options options = {.dimensions = 2, .iterations = 20, .cycles = -1};
    struct team t;

    team_begin(&t, &argc, &argv);
    int code = options_read(&usage, &options, argc, argv, t.rank == 0);
    if (code < 0)
        code = complete(&options, &t);
    t.published = options.published;
    if (code < 0)
        code = t.rank == 0 ? km_master(&t, &options) : km_serve(&t);
    team_end(&t);
    return code;
}
