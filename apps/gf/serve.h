/* SPDX-License-Identifier: MIT */
#ifndef GF_SERVE_H
#define GF_SERVE_H

#include "gf.h"

/* What a rank holds while it works. */
struct server {
    struct gf_plan plan;
    int32_t *mask;
    unsigned char *lines; /* as received */
    unsigned char *rows;  /* filtered */
};

#endif
