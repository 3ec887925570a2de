/* SPDX-License-Identifier: MIT */
#include "tuning.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hal/hosted.h>

#include "options.h"

enum { NAME_MOST = 100, LINE_MOST = 512 };

/* The text without the blanks around it; changes it. */
static char *trimmed(char *text)
{
    static const char blanks[] = " \t\n";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n > 0 && strchr(blanks, text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

/* "VENDOR-FAMILY-MODEL" or "VENDOR-FAMILY-MODEL-shared", of what the system says of the first
 * processor. */
static void name_processor(char name[NAME_MOST], bool shared)
{
    static const char *const keys[2][3] = {{"vendor_id", "cpu family", "model"}, /* x86-64 */
                                           {"CPU implementer", "CPU architecture", "CPU part"}};
    char line[LINE_MOST], value[3][NAME_MOST / 4] = {"unknown", "unknown", "unknown"};
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in) && trimmed(line)[0] != '\0') {
        char *colon = strchr(line, ':');
        if (!colon)
            continue;
        *colon = '\0';
        for (int i = 0; i < 6; i++)
            if (strcmp(trimmed(line), keys[i / 3][i % 3]) == 0)
                snprintf(value[i % 3], sizeof value[0], "%s", trimmed(colon + 1));
    }
    if (in)
        fclose(in);
    snprintf(name, NAME_MOST, "%s-%s-%s%s", value[0], value[1], value[2], shared ? "-shared" : "");
}

/* One line of the file. *here: it is of the section that counts, of which there is one at most. */
static bool take(char *line, const char *processor, bool *here, bool *found)
{
    size_t n = strlen(line = trimmed(line));
    if (line[0] == '[' && line[n - 1] == ']') {
        line[n - 1] = '\0';
        *here = !*found && fnmatch(line + 1, processor, 0) == 0;
        *found |= *here;
        return true;
    }
    char *equals = strchr(line, '=');
    if (!equals)
        return n == 0;
    *equals = '\0';
    line = trimmed(line);
    if (strncmp(line, "LWMPI_", 6) != 0)
        return false;
    if (*here)
        setenv(line, trimmed(equals + 1), 0);
    return true;
}

int tuning_export(bool shared)
{
    char path[PATH_MAX], processor[NAME_MOST], line[LINE_MOST];
    const char *given = getenv("LWMPI_TUNING");
    bool here = false, found = false, right = true;
    if (given && *given != '\0')
        snprintf(path, sizeof path, "%s", given);
    else if (hal_machine_beside("processors.tuning", path, sizeof path) != 0)
        return -1;
    name_processor(processor, shared);
    FILE *in = fopen(path, "r");
    int number = 0;
    while (in && right && fgets(line, sizeof line, in)) {
        number++;
        line[strcspn(line, "#")] = '\0';
        right = take(line, processor, &here, &found);
    }
    bool read = in && !ferror(in);
    if (!read)
        complain("%s: %s; LWMPI_TUNING must name a file such as machines/processors.tuning", path,
                 strerror(errno));
    else if (!right)
        complain("%s:%d: neither [PROCESSOR] nor LWMPI_NAME = VALUE", path, number);
    if (in)
        fclose(in);
    return read && right ? -1 : EXIT_USAGE;
}
