/* SPDX-License-Identifier: MIT */
/* The report of the simulated machine, and when it is printed. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <signal.h>
#include <stdbool.h>

#include <hal/site.h>

#define SIM_STATUS_STUCK 124 /* deadlock or time-out */

/* Set by SIGQUIT; looked at between two events. */
extern volatile sig_atomic_t sim_report_request;

/* What a signal interrupted whose handler prints a report; pc 0: none does. */
extern struct hal_interrupted sim_report_interrupted;

static inline bool sim_report_wanted(void)
{
    return sim_report_request != 0;
}

/* SIGQUIT asks for a report while a machine runs. */
void sim_report_install(void);
void sim_report_remove(void);

void sim_report_now(void);
/* Nothing will ever happen again, respectively the time is up: report and end the machine. */
void sim_report_deadlock(void);
void sim_report_timeout(void);

/* stand.c: prints in a few lines how the ranks stand; false: there are none. */
bool sim_stand_print(const char *title, bool over);

#endif
