/* SPDX-License-Identifier: MIT */
/* The heat map of the data NoC. */
#ifndef SIM_HEAT_H
#define SIM_HEAT_H

#include <stdbool.h>

/* Writes the torus with the flits that crossed each link since the start as SVG; false: the file
 * cannot be written, which is said. */
bool sim_heat_write(const char *path);

#endif
