/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a character of UTF-8 by its first byte; 0: no character begins so. */
static int length(unsigned char first)
{
    return first < 0x80   ? 1
           : first < 0xc0 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf8 ? 4
                          : 0;
}

/* How many bytes at `text` are a character of UTF-8; 0: they are none. A text may have been cut
 * within one, or be in another code. */
static int character(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = length(text[0]);
    uint32_t code = n > 1 ? text[0] & (0xffu >> (n + 1)) : text[0];
    for (int i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return n > 1 && (code < least[n] || code > 0x10ffff || surrogate) ? 0 : n;
}

void json_text(FILE *to, const char *text)
{
    fputc('"', to);
    while (*text != '\0') {
        unsigned char c = (unsigned char)*text;
        int n = character((const unsigned char *)text);
        if (n == 0)
            fputs("\\ufffd", to);
        else if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 32 || c == '<')
            fprintf(to, "\\u%04x", c);
        else
            fwrite(text, 1, (size_t)n, to);
        text += n == 0 ? 1 : n;
    }
    fputc('"', to);
}
