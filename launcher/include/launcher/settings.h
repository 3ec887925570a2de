/* SPDX-License-Identifier: MIT */
/* What a run is set to besides its machine file, by options or in the environment. */
#ifndef LAUNCHER_SETTINGS_H
#define LAUNCHER_SETTINGS_H

#include <stdbool.h>

/* Calls tell(arg, text) for each setting that is there, as "LWMPI_NAME=VALUE", and for each key
 * of --set, as "KEY=VALUE"; texts of more than 1000 characters are cut. all: also for those that
 * --stats tells in lines of its own, how computation is taken, the network model, the mapping. */
void launcher_settings(bool all, void (*tell)(void *arg, const char *text), void *arg);

#endif
