/* SPDX-License-Identifier: MIT */
/* The streams of GCC's library of C++, where the process has it: std::cout is a variable of the
 * program, but it writes through a buffer of the library that keeps the FILE which stdout was when
 * the stream was made. Names and layouts are those of its binary interface (and of the Itanium C++
 * ABI), which programs that are linked rely on, too. */
#include "streams.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <base/link.h>

B_IF_LINKED void _ZNSt8ios_base4InitC1Ev(void *object); /* std::ios_base::Init::Init() */
B_IF_LINKED void _ZNSt8ios_base4InitD1Ev(void *object);
B_IF_LINKED void *_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv(const void *ios);
B_IF_LINKED extern uint8_t _ZSt4cout[], _ZSt4cerr[];
/* The virtual table of stdio_sync_filebuf<char>. */
B_IF_LINKED extern void *_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE[];

enum { TABLE_HEAD = 2 }; /* words in front of what an object points to */

/* std::streambuf is eight words: its table, six places in buffers, a locale. */
struct buffer {
    void **table, *place[6], *locale;
    FILE *file;
};

void image_streams_make(void)
{
    uint64_t object;
    if (_ZNSt8ios_base4InitC1Ev && _ZNSt8ios_base4InitD1Ev) {
        _ZNSt8ios_base4InitC1Ev(&object);
        _ZNSt8ios_base4InitD1Ev(&object);
    }
}

/* The table of a stream says where its base with the buffer begins. */
static struct buffer *buffer_of(const uint8_t *stream)
{
    const ptrdiff_t *table;
    memcpy(&table, stream, sizeof table);
    return table ? _ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv(stream + table[-3]) : NULL;
}

static void follow(const uint8_t *stream, FILE *from, FILE *to)
{
    struct buffer *b = stream ? buffer_of(stream) : NULL;
    if (b && b->table == _ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE + TABLE_HEAD &&
        b->file == from)
        b->file = to;
}

void image_streams_follow(FILE *from, FILE *to)
{
    if (!_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv)
        return;
    follow(_ZSt4cout, from, to);
    follow(_ZSt4cerr, from, to); /* std::clog has the same buffer */
}
