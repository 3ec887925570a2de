/* SPDX-License-Identifier: MIT */
/* The one table of what a machine file may say. */
#ifndef HAL_HOSTED_MACHINE_KEYS_H
#define HAL_HOSTED_MACHINE_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include <hal/machine.h>

#include "units.h"

#define HAL_KEYS_MAX 80

/* Type of the field in struct hal_machine. */
enum hal_key_type { HAL_KEY_U32, HAL_KEY_U64, HAL_KEY_BOOL, HAL_KEY_WORD };

struct hal_key {
    const char *name;
    size_t offset;
    enum hal_key_type type;
    enum hal_dimension unit;
    uint64_t min, max; /* in base units */
    const char *meaning;
    const char *const *words; /* BOOL, WORD: the name of each value, NULL behind the last */
};

extern const struct hal_key hal_keys[];
extern const size_t hal_key_count;
extern const char *const hal_variant_names[]; /* by enum hal_variant, NULL behind the last */

/* Sets a key of a machine; the value is in the key's range. */
void hal_key_set(struct hal_machine *m, const struct hal_key *key, uint64_t value);

#endif
