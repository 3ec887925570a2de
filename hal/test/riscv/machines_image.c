/* SPDX-License-Identifier: MIT */
/* The main of a test inside an image that has the kernel's rights. */
#include <test/bare.h>

void rv_main(void)
{
    bare_main();
}
