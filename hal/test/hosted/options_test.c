/* SPDX-License-Identifier: MIT */
/* Options from the environment. */
#define _GNU_SOURCE
#include <hal/hosted.h>

#include <string.h>

#include <base/error.h>
#include <test/check.h>

static struct hal_options o;
static char why[256];

static int with(const char *name, const char *value)
{
    setenv(name, value, 1);
    why[0] = '\0';
    int rc = hal_options_default(&o, why, sizeof why);
    unsetenv(name);
    return rc;
}

static void refused(const char *name, const char *value)
{
    CHECK_EQ(with(name, value), -B_EINVAL);
    CHECK(strstr(why, name) == why && strstr(why, "allowed"));
}

int main(void)
{
    static const char *const names[] = {"LWMPI_SEED", "LWMPI_NOC",  "LWMPI_TRACE",
                                        "LWMPI_HEAT", "LWMPI_SPIN", "LWMPI_TIMEOUT",
                                        "LWMPI_PIN",  "LWMPI_STACK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    CHECK_EQ(hal_options_default(&o, why, sizeof why), 0);
    CHECK(o.seed == 0 && strcmp(o.noc, "fluid") == 0 && !o.trace && !o.heat);
    CHECK(o.spin_ns == 100000 && o.timeout_ns == 0 && o.pin && o.stack == 1024 * 1024);
    CHECK_EQ(with("LWMPI_SEED", "18446744073709551615"), 0);
    CHECK_EQ(o.seed, UINT64_MAX);
    CHECK_EQ(with("LWMPI_NOC", "wormhole"), 0);
    CHECK(strcmp(o.noc, "wormhole") == 0);
    CHECK_EQ(with("LWMPI_TRACE", "t.json"), 0);
    CHECK_EQ(with("LWMPI_SPIN", "0"), 0);
    CHECK_EQ(o.spin_ns, 0);
    CHECK_EQ(with("LWMPI_SPIN", "1.5 ms"), 0);
    CHECK_EQ(o.spin_ns, 1500000);
    CHECK_EQ(with("LWMPI_TIMEOUT", "2.5"), 0);
    CHECK_EQ(o.timeout_ns, 2500000000);
    CHECK_EQ(with("LWMPI_TIMEOUT", "100ms"), 0);
    CHECK_EQ(o.timeout_ns, 100000000);
    CHECK_EQ(with("LWMPI_PIN", "no"), 0);
    CHECK(!o.pin);
    CHECK_EQ(with("LWMPI_STACK", "8 MB"), 0);
    CHECK_EQ(o.stack, 8 << 20);
    CHECK_EQ(with("LWMPI_STACK", ""), 0);
    refused("LWMPI_SEED", "18446744073709551616");
    refused("LWMPI_SEED", "-1");
    refused("LWMPI_SEED", "x");
    refused("LWMPI_NOC", "Fluid");
    refused("LWMPI_SPIN", "1 hour");
    refused("LWMPI_SPIN", "11 s");
    refused("LWMPI_TIMEOUT", "soon");
    refused("LWMPI_PIN", "maybe");
    refused("LWMPI_STACK", "1 KB");
    refused("LWMPI_STACK", "2 GB");
    return 0;
}
