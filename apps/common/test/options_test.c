/* SPDX-License-Identifier: MIT */
/* Command lines that make sense, and others. */
#include <stdio.h>
#include <string.h>

#include <test/check.h>

#include "common/options.h"

struct values {
    bool flag;
    int odd, number;
    double real;
    const char *text, *file[2];
};

#define AT(field) offsetof(struct values, field)

static const struct option table[] = {
    {"--flag", "", "", OPTION_FLAG, AT(flag), 0, 0, 0, ""},
    {"--odd", "N", "", OPTION_INT, AT(odd), 1, 9, 2, "odd"},
    {"--number", "N", "", OPTION_INT, AT(number), -5, 5, 0, "small"},
    {"--real", "X", "", OPTION_REAL, AT(real), 0.5, 2, 0, "real"},
    {"--text", "T", "", OPTION_TEXT, AT(text), 0, 0, 0, "text"},
    {.name = NULL},
};

static const struct usage usage = {.program = "options_test",
                                   .arguments = "",
                                   .about = "",
                                   .option = table,
                                   .files_most = 2,
                                   .files_offset = AT(file)};

/* Reads a line of words. */
static int read_line(struct values *v, const char *line)
{
    static char words[200];
    char *argv[20] = {"options_test"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    *v = (struct values){.odd = 7};
    return options_read(&usage, v, argc, argv, false);
}

static void test_good(void)
{
    struct values v;
    CHECK(read_line(&v, "") == -1 && v.odd == 7 && !v.flag && !v.file[0]);
    CHECK(read_line(&v, "a --flag b --odd 9 --number -5 --real 0.5 --text --flag") == -1);
    CHECK(v.flag && v.odd == 9 && v.number == -5 && v.real == 0.5);
    CHECK(strcmp(v.text, "--flag") == 0);
    CHECK(strcmp(v.file[0], "a") == 0 && strcmp(v.file[1], "b") == 0);
    CHECK(read_line(&v, "- --number 5e0") == -1 && strcmp(v.file[0], "-") == 0 && v.number == 5);
    CHECK(read_line(&v, "--help") == 0);
}

static void test_bad(void)
{
    static const char *const lines[] = {
        "--odd 2",   "--odd -1",   "--odd 11",     "--odd 1.5",  "--odd",      "--odd x",
        "--odd 3x",  "--number 6", "--number nan", "--real 0.4", "--real inf", "--real nan",
        "--nothing", "-flag",      "a b c",        "--text",
    };
    struct values v;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK(read_line(&v, lines[i]) == 2);
}

int main(void)
{
    test_good();
    test_bad();
    return 0;
}
