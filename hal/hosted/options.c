/* SPDX-License-Identifier: MIT */
/* Options of a run from the environment: one table, checked. */
#include <hal/hosted.h>

#include <stdlib.h>
#include <string.h>

#include <base/error.h>

#include "units.h"

enum kind { NUMBER_64, NUMBER_SIZE, TEXT, NOC, YES_NO };

static const struct option {
    const char *variable;
    size_t offset;
    enum kind kind;
    enum hal_dimension unit;
    const char *missing; /* unit that a plain number has */
    uint64_t min, max;
    uint64_t value; /* default */
} options[] = {
    {"LWMPI_SEED", offsetof(struct hal_options, seed), NUMBER_64, HAL_PLAIN, "", 0, UINT64_MAX, 0},
    {"LWMPI_NOC", offsetof(struct hal_options, noc), NOC, HAL_PLAIN, "", 0, 0, 0},
    {"LWMPI_TRACE", offsetof(struct hal_options, trace), TEXT, HAL_PLAIN, "", 0, 0, 0},
    {"LWMPI_HEAT", offsetof(struct hal_options, heat), TEXT, HAL_PLAIN, "", 0, 0, 0},
    {"LWMPI_SPIN", offsetof(struct hal_options, spin_ns), NUMBER_64, HAL_SECONDS, "us", 0,
     UINT64_C(10000000000), 100000},
    {"LWMPI_TIMEOUT", offsetof(struct hal_options, timeout_ns), NUMBER_64, HAL_SECONDS, "s", 0,
     UINT64_C(31536000000000000), 0},
    {"LWMPI_PIN", offsetof(struct hal_options, pin), YES_NO, HAL_PLAIN, "", 0, 1, 1},
    {"LWMPI_STACK", offsetof(struct hal_options, stack), NUMBER_SIZE, HAL_BYTES, "B", 64 * 1024,
     UINT64_C(1) << 30, 1024 * 1024},
    {"LWMPI_VERBOSE", offsetof(struct hal_options, verbose), YES_NO, HAL_PLAIN, "", 0, 1, 0},
};

/* The first is the default. */
static const char *const noc_models[] = {"fluid", "packet", "wormhole"};
static const char *const words[][2] = {{"0", "1"}, {"no", "yes"}, {"off", "on"}};

static int set_noc(char *field, const char *text)
{
    for (size_t i = 0; i < sizeof noc_models / sizeof noc_models[0]; i++) {
        if (!text || strcmp(text, noc_models[i]) == 0) {
            strcpy(field, noc_models[i]);
            return 0;
        }
    }
    return -B_EINVAL;
}

static int set_yes_no(bool *field, const char *text)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (int yes = 0; yes < 2; yes++) {
            if (strcmp(text, words[i][yes]) == 0) {
                *field = yes != 0;
                return 0;
            }
        }
    }
    return -B_EINVAL;
}

static int set_number(void *field, const struct option *o, const char *text)
{
    uint64_t value = o->value;
    if (text) {
        int rc = hal_units_parse(text, strlen(text), o->unit, o->missing, &value);
        if (rc != 0 || value < o->min || value > o->max)
            return -B_EINVAL;
    }
    if (o->kind == NUMBER_SIZE)
        *(size_t *)field = (size_t)value;
    else
        *(uint64_t *)field = value;
    return 0;
}

static int set(struct hal_options *options_out, const struct option *o, const char *text)
{
    void *field = (char *)options_out + o->offset;
    switch (o->kind) {
    case TEXT:
        *(const char **)field = text;
        return 0;
    case NOC:
        return set_noc(field, text);
    case YES_NO:
        *(bool *)field = o->value != 0;
        return text ? set_yes_no(field, text) : 0;
    default:
        return set_number(field, o, text);
    }
}

static void explain(const struct option *o, const char *text, char *why, size_t why_size)
{
    char low[32], high[32], names[64];
    if (o->kind == NOC) {
        snprintf(why, why_size, "%s: \"%.40s\" is unknown; allowed fluid, packet, wormhole",
                 o->variable, text);
    } else if (o->kind == YES_NO) {
        snprintf(why, why_size, "%s: \"%.40s\" is neither; allowed yes or no", o->variable, text);
    } else {
        hal_units_names(o->unit, names, sizeof names);
        snprintf(why, why_size, "%s: \"%.40s\" makes no sense; allowed %s .. %s%s%s%s%s",
                 o->variable, text, hal_units_format(o->min, o->unit, low, sizeof low),
                 hal_units_format(o->max, o->unit, high, sizeof high),
                 names[0] == '\0' ? "" : ", units ", names,
                 names[0] == '\0' ? "" : ", without a unit ", o->missing);
    }
}

int hal_options_default(struct hal_options *o, char *why, size_t why_size)
{
    *o = (struct hal_options){.seed = 0};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *text = getenv(options[i].variable);
        if (text && text[0] == '\0')
            text = NULL; /* set to nothing is not set */
        if (set(o, &options[i], text) != 0) {
            explain(&options[i], text, why, why_size);
            return -B_EINVAL;
        }
    }
    return 0;
}
