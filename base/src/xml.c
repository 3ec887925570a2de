/* SPDX-License-Identifier: MIT */
#include <base/mem.h>
#include <base/xml.h>

/* NULL: it stands for itself. */
static const char *number_of(char c)
{
    return c == '<' ? "&#60;" : c == '>' ? "&#62;" : c == '&' ? "&#38;" : NULL;
}

const char *b_xml(const char *words, char *text, size_t size)
{
    size_t used = 0;
    for (; *words; words++) {
        const char *number = number_of(*words);
        size_t n = number ? sizeof "&#60;" - 1 : 1;
        if (n >= size - used)
            break;
        memcpy(text + used, number ? number : words, n);
        used += n;
    }
    text[used] = '\0';
    return text;
}
