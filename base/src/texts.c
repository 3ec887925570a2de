/* SPDX-License-Identifier: MIT */
#include <base/mem.h>
#include <base/texts.h>

const char *b_text_of(const char *texts, size_t i)
{
    while (i-- > 0)
        texts += strlen(texts) + 1;
    return texts;
}
