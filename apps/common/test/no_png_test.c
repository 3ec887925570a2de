/* SPDX-License-Identifier: MIT */
/* Built without libpng: PNG is refused in words, both ways, and leaves no file; PPM works. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <test/check.h>

#include "common/picture.h"

static const unsigned char png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};

static void refused(void)
{
    struct picture p;
    FILE *f = fopen("in.png", "wb");
    CHECK(f && fwrite(png, sizeof png, 1, f) == 1 && fclose(f) == 0);
    CHECK(picture_open(&p, "in.png") == -1);
    CHECK(strstr(p.why, "in.png: ") == p.why && strstr(p.why, "without libpng"));
    picture_close(&p);
    CHECK(picture_create(&p, "out.png", 2, 1, 3) == -1);
    CHECK(strstr(p.why, "without libpng"));
    picture_close(&p);
    CHECK(access("out.png", F_OK) && access("out.png.part", F_OK));
}

static void others(void)
{
    unsigned char row[6] = {1, 2, 3, 4, 5, 6}, got[6] = {0};
    struct picture p;
    CHECK(picture_create(&p, "out.ppm", 2, 1, 3) == 0);
    CHECK(picture_write(&p, row) == 0 && picture_commit(&p) == 0);
    picture_close(&p);
    CHECK(picture_open(&p, "out.ppm") == 0 && picture_read(&p, got) == 0);
    CHECK(memcmp(row, got, sizeof row) == 0);
    picture_close(&p);
}

int main(void)
{
    const char folder[] = "no_png_test.files"; /* a test that was ended may have left it */
    CHECK((mkdir(folder, 0700) == 0 || errno == EEXIST) && chdir(folder) == 0);
    refused();
    others();
    CHECK(remove("in.png") == 0 && remove("out.ppm") == 0 && chdir("..") == 0);
    CHECK(rmdir(folder) == 0);
    return 0;
}
