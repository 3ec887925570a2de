/* SPDX-License-Identifier: MIT */
#include <hal/xml.h>

#include <stdbool.h>
#include <stdio.h>

const char *hal_xml(const char *words, char *text, size_t size)
{
    size_t used = 0;
    for (; *words != '\0' && used + sizeof "&#99;" <= size; words++) {
        bool means = *words == '<' || *words == '>' || *words == '&';
        used += (size_t)snprintf(text + used, size - used, means ? "&#%d;" : "%c", *words);
    }
    text[used] = '\0';
    return text;
}
