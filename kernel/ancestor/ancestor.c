/* SPDX-License-Identifier: MIT */
#include "ancestor.h"

#include <stddef.h>

static const struct kern_ancestor all = {&kern_ancestor_carrier, &kern_ancestor_waiter,
                                         &kern_ancestor_manager};
const struct kern_ancestor *const kern_ancestor = &all;
