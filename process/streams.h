/* SPDX-License-Identifier: MIT */
/* The streams of C++ (streams.c). Both are called where nobody else runs: at the begin and at the
 * end of the process. */
#ifndef IMAGE_STREAMS_H
#define IMAGE_STREAMS_H

#include <stdio.h>

/* They are made with the first object of std::ios_base::Init; one is made and ended here. */
void image_streams_make(void);

/* Those that write to `from` write to `to` from now on. Streams that are made later write to what
 * stdout and stderr are then. */
void image_streams_follow(FILE *from, FILE *to);

#endif
