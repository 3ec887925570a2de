/* SPDX-License-Identifier: MIT */
/* Random command lines, read by image_getopt and by the C library's routines: the same options,
 * arguments, places and final order. */
#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include <process/getopt.h>
#include <test/check.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum { LINES = 60000, WORDS = 8 };

static int flag;
static const struct option longs[] = {{"alpha", no_argument, NULL, 'a'},
                                      {"alto", required_argument, NULL, 'A'},
                                      {"beta", optional_argument, NULL, 'B'},
                                      {"long", required_argument, NULL, 300},
                                      {"l", no_argument, NULL, 301},
                                      {"flag", no_argument, &flag, 7},
                                      {NULL, 0, NULL, 0}};

static const char *const words[] = {
    "-a",       "-b",       "-bc",     "-ob",     "-o",        "5",         "rest",
    "--",       "-",        "--alpha", "--alp",   "--al",      "-cb",       "--alto",
    "--beta",   "--beta=2", "-l",      "-W",      "-:",        "--long",    "--l",
    "--alto=3", "-x",       "--longx", "--flag",  "--alpha=1", "-oz",       "-pq",
    "-p",       "-alpha",   "-long=4", "-Walpha", "-Wl",       "-aWalto=4", "-Wz"};
static const char *const specs[] = {"abo:cp::",   "+abo:cp::",  "-abo:cp::", ":abo:cp::",
                                    "+:abo:cp::", "abco:p::lx", "aW;o:",     ":abW;"};

static uint32_t dice(uint32_t n)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(state >> 33) % n;
}

static int theirs(int form, int argc, char **argv, const char *spec, int *index)
{
    return form == 0   ? getopt(argc, argv, spec)
           : form == 1 ? getopt_long(argc, argv, spec, longs, index)
                       : getopt_long_only(argc, argv, spec, longs, index);
}

static void line(void)
{
    char *a[WORDS + 1] = {"program"}, *b[WORDS + 1];
    int argc = 2 + (int)dice(WORDS - 1), form = (int)dice(3), end = 0;
    const char *spec = specs[dice(COUNT(specs))];
    for (int i = 1; i < argc; i++)
        a[i] = (char *)words[dice(COUNT(words))];
    memcpy(b, a, sizeof b);
    struct image_options o = {0};
    int place = 1, prints = 0, bad = '?';
    char *argument = NULL;
    const struct image_optvars v = {&place, &prints, &bad, &argument};
    optind = opterr = 0;
    while (end != -1) {
        int i = -9, j = -9;
        end = theirs(form, argc, a, spec, &i);
        CHECK_EQ(image_getopt(&o, &v, argc, b, spec, form ? longs : NULL, &j, form == 2), end);
        CHECK_EQ(place, optind);
        CHECK(argument == optarg);
        CHECK_EQ(j, i);
        if (end == '?' || end == ':')
            CHECK_EQ(bad, optopt);
    }
    CHECK(memcmp(a, b, (size_t)argc * sizeof *a) == 0);
}

int main(void)
{
    for (int i = 0; i < LINES; i++)
        line();
    return 0;
}
