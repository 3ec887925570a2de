/* SPDX-License-Identifier: MIT */
#include <launcher/settings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS "LWMPI_SET" /* a line for each key */

void launcher_settings(bool all, void (*tell)(void *arg, const char *text), void *arg)
{
    static const struct {
        const char *name;
        bool elsewhere; /* --stats tells it in a line of its own */
    } known[] = {{"LWMPI_COMPUTE", true},    {"LWMPI_MODEL", false}, {"LWMPI_VARIANT", false},
                 {"LWMPI_NOC", true},        {"LWMPI_SEED", false},  {"LWMPI_FASTER", false},
                 {"LWMPI_PROTOCOLS", false}, {"LWMPI_MAP", true},    {KEYS, false}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *name = known[i].name, *value = getenv(name);
        bool keys = strcmp(name, KEYS) == 0;
        while (value && *value != '\0' && (all || !known[i].elsewhere)) {
            char text[1000];
            int n = (int)strcspn(value, "\n");
            snprintf(text, sizeof text, "%s%s%.*s", keys ? "" : name, keys ? "" : "=", n, value);
            tell(arg, text);
            value += n + (value[n] == '\n');
        }
    }
}
