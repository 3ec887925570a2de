/* SPDX-License-Identifier: MIT */
/* Machine files: those of the repository load; every kind of mistake is refused with a line that
 * says where it is and what is allowed; no input makes the parser misbehave. */
#define _GNU_SOURCE
#include <hal/hosted.h>

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>
#include <test/check.h>

#include "../../hosted/machine_parse.h"

/* In the folder of the build, where a test that was ended finds next time what it left. */
static char dir[PATH_MAX];
static char path[PATH_MAX + 16], text[16384], why[512];
static struct hal_machine machine;

static int load_bytes(const char *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    why[0] = '\0';
    return hal_machine_load(path, &machine, why, sizeof why);
}

/* mini.machine, with `from` replaced by `to`. */
static void edit(const char *from, const char *to)
{
    static char original[16384];
    char name[512];
    snprintf(name, sizeof name, "%s/mini.machine", getenv("LWMPI_MACHINES"));
    FILE *f = fopen(name, "r");
    CHECK(f != NULL);
    size_t n = fread(original, 1, sizeof original - 1, f);
    fclose(f);
    original[n] = '\0';
    char *at = strstr(original, from);
    CHECK(at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - original), original, to, at + strlen(from));
}

static void expect(const char *from, const char *to, const char *message)
{
    char shown[256];
    edit(from, to);
    int rc = load_bytes(text, strlen(text));
    snprintf(shown, sizeof shown, "\"%s\" -> \"%s\": %.120s", from, to, why);
    if (rc != -B_EINVAL || !strstr(why, message) || !strstr(why, "allowed") || strchr(why, '\n')) {
        fprintf(stderr, "%s\nshould contain: %s\n", shown, message);
        exit(1);
    }
}

static void test_repository_files(void)
{
    char list[256];
    hal_machine_list(list, sizeof list);
    CHECK(strcmp(list, "coreva, linux, mini, mppa16k, mppa1k, mppa256, mppa4k, pulp, riscv-256, "
                       "riscv-mini, sw26010") == 0);
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", ")) {
        if (hal_machine_load(name, &machine, why, sizeof why) != 0) {
            fprintf(stderr, "%s\n", why);
            exit(1);
        }
        CHECK(strcmp(machine.name, name) == 0);
    }
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    CHECK_EQ(machine.variant, HAL_BASELINE);
    CHECK_EQ(machine.hz, 400000000);
    CHECK_EQ(hal_machine_clusters(&machine), 20);
    CHECK_EQ(hal_machine_cores(&machine, 0), 17);
    CHECK_EQ(hal_machine_cores(&machine, 16), 4);
    CHECK_EQ(hal_machine_memory(&machine, 15), 2 << 20);
    CHECK_EQ(hal_machine_memory(&machine, 19), 4 << 20);
    CHECK_EQ(machine.cost.copy_byte_milli, 1280);
    CHECK_EQ(machine.power.core_busy_uw, 22000);
    CHECK_EQ(machine.power.flit_hop_fj, 8000);
    CHECK(machine.asymmetric);
}

/* The environment stands above the file. */
static void test_variant(void)
{
    static const char *const names[] = {"baseline", "partial", "full"};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(setenv("LWMPI_VARIANT", names[i], 1), 0);
        CHECK_EQ(hal_machine_load("mini", &machine, why, sizeof why), 0);
        CHECK_EQ(machine.variant, i);
    }
    CHECK_EQ(setenv("LWMPI_VARIANT", "Full", 1), 0);
    CHECK_EQ(hal_machine_load("mini", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "LWMPI_VARIANT") && strstr(why, "allowed baseline"));
    CHECK_EQ(unsetenv("LWMPI_VARIANT"), 0);
    edit("baseline", "partial");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    CHECK_EQ(machine.variant, HAL_PARTIAL);
}

/* The ancestor's parts, all of them or one; what is none is refused by name. */
static void test_model(void)
{
    static const char *const good[] = {"ancestor", "ancestor-threads", "ancestor,ancestor-threads",
                                       "ancestor-portals,ancestor-threads",
                                       "ancestor-waiting,ancestor-portals,ancestor-threads"};
    static const char *const bad[] = {"Ancestor",     "ancestor-",         "ancestor-thread",
                                      "ancestors",    "ancestor-threads2", ",",
                                      "ancestor,own", "vendors",           "vendor_layer"};
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    CHECK(!machine.ancestor_threads);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK_EQ(setenv("LWMPI_MODEL", good[i], 1), 0);
        CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
        CHECK(machine.ancestor_threads);
        CHECK_EQ(machine.ancestor_portals, strcmp(good[i], "ancestor-threads") != 0);
        CHECK_EQ(machine.ancestor_waiting, i == 0 || i == 2 || i == 4);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_EQ(setenv("LWMPI_MODEL", bad[i], 1), 0);
        CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), -B_EINVAL);
        CHECK(strstr(why, "LWMPI_MODEL") && strstr(why, "ancestor-threads"));
    }
    CHECK_EQ(setenv("LWMPI_MODEL", "ancestor-portals", 1), 0);
    CHECK_EQ(hal_machine_load("linux", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "linux") && strstr(why, "cost.copy_byte_milli"));
    CHECK_EQ(setenv("LWMPI_MODEL", "ancestor-waiting", 1), 0);
    CHECK_EQ(hal_machine_load("linux", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "linux") && strstr(why, "cost.kernel_call"));
    CHECK_EQ(setenv("LWMPI_MODEL", "ancestor", 1), 0);
    CHECK_EQ(hal_machine_load("linux", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "linux") && strstr(why, "cost.thread_search"));
    CHECK_EQ(unsetenv("LWMPI_MODEL"), 0);
}

/* The vendor's layer makes dearer what it stands in, and only on a machine that has its prices. */
static void test_vendor(void)
{
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    struct hal_cost own = machine.cost;
    CHECK(!machine.vendor_layer && own.vendor_mail > 0 && own.vendor_portal > 0);
    CHECK_EQ(setenv("LWMPI_MODEL", "vendor,ancestor-threads", 1), 0);
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    CHECK(machine.vendor_layer && machine.ancestor_threads && !machine.ancestor_portals);
    CHECK_EQ(machine.cost.mail_send, own.mail_send + own.vendor_mail);
    CHECK_EQ(machine.cost.portal_setup, own.portal_setup + own.vendor_portal);
    CHECK_EQ(machine.cost.mail_recv, own.mail_recv);
    CHECK_EQ(setenv("LWMPI_MODEL", "vendor", 1), 0);
    CHECK_EQ(hal_machine_load("mini", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "vendor_layer") && strstr(why, "cost.vendor_mail"));
    CHECK_EQ(unsetenv("LWMPI_MODEL"), 0);
}

/* I/O clusters have as much memory as there is of their DDR. */
static void test_ddr(void)
{
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    uint64_t ddr = machine.ddr_memory;
    CHECK(!machine.io_ddr && machine.io_memory < ddr);
    CHECK_EQ(setenv("LWMPI_MODEL", "ddr", 1), 0);
    CHECK_EQ(hal_machine_load("mppa256", &machine, why, sizeof why), 0);
    CHECK(machine.io_ddr && machine.io_memory == ddr);
    const char *small = "ddr_memory = 100 B";
    CHECK_EQ(hal_machine_load_set("mppa256", "x", small, &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "ddr_memory") && strstr(why, "allowed more than"));
    CHECK_EQ(hal_machine_load("mini", &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "io_ddr") && strstr(why, "cost.ddr_send"));
    CHECK_EQ(unsetenv("LWMPI_MODEL"), 0);
}

static void test_form(void)
{
    edit("", "");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    CHECK(strcmp(machine.name, "m") == 0);
    CHECK_EQ(machine.compute_memory, 256 * 1024);
    edit("hz ", "\t hz\t");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    edit("100 MHz", "0.1GHz # as much");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    CHECK_EQ(machine.hz, 100000000);
    edit("", "");
    text[strlen(text) - 1] = '\0'; /* no newline at the end */
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    edit("100 MHz\n", "100 MHz\r\n");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    /* A comment of 10,000 bytes. */
    edit("", "");
    size_t n = strlen(text);
    text[n++] = '#';
    memset(text + n, 'x', 10000);
    CHECK_EQ(load_bytes(text, n + 10000), 0);
}

static void test_refusals(void)
{
    expect("hz ", "hertz ", "m.machine:5: hertz: no such key");
    expect("hz ", "HZ ", "no such key");
    expect("compute_cores ", "hz = 1 MHz\ncompute_cores ",
           "m.machine:7: hz: given before on line 5");
    expect("compute_cores    = 4 cores\n", "", "compute_cores: missing");
    expect("baseline", "half", "allowed baseline, partial, full");
    expect("100 MHz", "100", "no unit");
    expect("100 MHz", "100 cycles", "allowed units Hz, kHz, MHz, GHz");
    expect("100 MHz", "100 MHz MHz", "no unit");
    expect("100 MHz", "MHz", "not a number");
    expect("100 MHz", "", "not a number");
    expect("100 MHz", "-100 MHz", "not a number");
    expect("100 MHz", "0x10 MHz", "no unit");
    expect("100 MHz", "1e8 Hz", "no unit");
    expect("100 MHz", "1. MHz", "not a number");
    expect("100 MHz", "1 Hz", "allowed 1 kHz .. 10 GHz");
    expect("100 MHz", "99999999999999999999 MHz", "too large");
    expect("100 MHz", "18446744073709551 GHz", "too large");
    expect("100 MHz", "1.0000000001 MHz", "finely");
    expect("100 MHz", "0.1000000000000000000000001 MHz", "finely");
    expect("= 4 cores", "= 4.5 cores", "finely");
    expect("= 4 cores", "= 0 cores", "allowed 1 cores .. 256 cores");
    expect("= 4 cores", "= 257 cores", "out of range");
    expect("= no", "= maybe", "allowed no, yes");
    expect("= no", "= 0", "allowed no, yes");
    expect("= no", " no", "no \"=\"");
    expect("page_size        = 1 KB", "page_size = 1000 B", "power of two");
    expect("compute_memory   = 256 KB", "compute_memory = 262145 B", "multiple of the page");
    expect("io_memory        = 256 KB", "io_memory = 1025 B", "io_memory: not a multiple");
    expect("io_memory        = 256 KB", "io_memory = 0 B", "io_memory: none");
    expect("stack_size       = 4 KB", "stack_size = 256 KB", "fills the memory");
    expect("torus_x       = 3", "torus_x = 2", "2 nodes for 3 clusters");
    expect("io_clusters      = 1 ", "io_clusters = 1023 ", "allowed 1024");
    expect("io_cores         = 4", "io_cores = 0", "io_cores: too few");
    expect("mail_slots         = 1", "mail_slots = 0", "allowed 1 slots .. 64 slots");
    expect("mail_slots         = 1", "mail_slots = 65", "out of range");
    expect("mail_buffers       = 32", "mail_buffers = 15", "allowed 16 or more");
    expect("mail_buffers_local = 32", "mail_buffers_local = 1", "mail_buffers_local: too few");
    edit("compute_cores    = 4", "compute_cores = 1");
    CHECK_EQ(load_bytes(text, strlen(text)), 0);
    char *at = strstr(text, "= no");
    memcpy(at, "=yes", 4);
    CHECK_EQ(load_bytes(text, strlen(text)), -B_EINVAL);
    CHECK(strstr(why, "asymmetric: the only core") != NULL);
}

static int load_text(const char *bytes)
{
    return load_bytes(bytes, strlen(bytes));
}

static void write_beside(const char *name, const char *bytes)
{
    char other[PATH_MAX + 128];
    snprintf(other, sizeof other, "%s/%s", dir, name);
    FILE *f = fopen(other, "w");
    CHECK(f && fputs(bytes, f) >= 0 && fclose(f) == 0);
}

static void refused(const char *bytes, const char *message)
{
    int rc = load_text(bytes);
    if (rc != -B_EINVAL || !strstr(why, message) || !strstr(why, "allowed") || strchr(why, '\n')) {
        fprintf(stderr, "%s\n%s\nshould contain: %s\n", bytes, why, message);
        exit(1);
    }
}

/* A file stands above those that it includes, whose prices it need not repeat. */
static void test_include(void)
{
    CHECK_EQ(load_text("# mine\ninclude mppa256 # all else\nhz = 1 GHz\n"), 0);
    CHECK(strcmp(machine.name, "m") == 0);
    CHECK_EQ(machine.hz, 1000000000);
    CHECK_EQ(machine.compute_memory, 2 << 20);
    CHECK_EQ(machine.noc.torus_x, 5);
    CHECK_EQ(machine.noc.torus_y, 4);

    write_beside("other.machine", "include mini\nhz = 3 MHz\nthreads = 40 threads\n");
    CHECK_EQ(load_text("include ./other.machine\nthreads = 41 threads\n"), 0);
    CHECK_EQ(machine.hz, 3000000);
    CHECK_EQ(machine.threads, 41);
    CHECK_EQ(load_text("include other.machine"), 0);
    CHECK_EQ(machine.threads, 40);
    CHECK_EQ(load_text("include mppa256\ninclude mini\n"), 0);
    CHECK_EQ(machine.hz, 100000000);

    /* More clusters need a larger torus, unless the file says which. */
    CHECK_EQ(load_text("include mppa256\ncompute_clusters = 64 clusters\n"), 0);
    CHECK_EQ(machine.noc.torus_x, 9);
    CHECK_EQ(machine.noc.torus_y, 8);
    CHECK_EQ(load_text("include mppa256\ncompute_clusters = 64 clusters\n"
                       "noc.torus_x = 34 nodes\nnoc.torus_y = 2 nodes\n"),
             0);
    CHECK_EQ(machine.noc.torus_x, 34);
    refused("include mppa256\ncompute_clusters = 64 clusters\nnoc.torus_x = 3 nodes\n",
            "the torus has 12 nodes for 68");

    refused("include mini\nhz = 3 MHz\nhz = 4 MHz\n", "m.machine:3: hz: given before on line 2");
    refused("include mini\nhz = 3 MHz\ninclude pulp\n", "m.machine:3: include: behind a key");
    refused("include nothing-like-it\n", "m.machine:1: include: machine \"nothing-like-it\"");
    refused("include mini pulp\n", "\"mini pulp\": unknown");
    refused("include\n", "no \"=\"");
    refused("include mini\ncompute_memory = 262145 B\n", "m.machine:2: compute_memory: not a mul");
    refused("include m.machine\n", "m.machine includes itself");
    write_beside("other.machine", "include ./m.machine\n");
    refused("include ./other.machine\n", "other.machine:1: include: ");
    CHECK(strstr(why, "m.machine includes itself this way") != NULL);
    write_beside("other.machine", "include mini\nhz = 3 parsecs\n");
    refused("include ./other.machine\nhz = 3 MHz\n", "other.machine:2: hz: \"3 parsecs\"");
    char many[1024] = "";
    for (int i = 0; i < 20; i++)
        strcat(many, "include mini\n");
    refused(many, "m.machine:15: include: one file too many");
    write_beside("other.machine", "");
    char other[PATH_MAX + 128];
    snprintf(other, sizeof other, "%s/other.machine", dir);
    unlink(other);
}

static int set(const char *settings)
{
    CHECK_EQ(setenv("LWMPI_SET", settings, 1), 0);
    why[0] = '\0';
    int rc = hal_machine_load("mppa256", &machine, why, sizeof why);
    CHECK_EQ(unsetenv("LWMPI_SET"), 0);
    return rc;
}

static void set_refused(const char *settings, const char *message)
{
    int rc = set(settings);
    if (rc != -B_EINVAL || strncmp(why, "--set: ", 7) != 0 || !strstr(why, message)) {
        fprintf(stderr, "%s\n%s\nshould contain: %s\n", settings, why, message);
        exit(1);
    }
}

/* Settings stand above the files; numbers need no unit there. */
static void test_settings(void)
{
    CHECK_EQ(set("noc.link_bytes=8"), 0);
    CHECK_EQ(machine.noc.link_bytes, 8);
    CHECK(strcmp(machine.name, "mppa256") == 0);
    CHECK_EQ(set("hz=1 GHz\nvariant=full\nhz = 2GHz\ncost.copy_byte_milli=1500\n"), 0);
    CHECK_EQ(machine.hz, 2000000000);
    CHECK_EQ(machine.variant, HAL_FULL);
    CHECK_EQ(machine.cost.copy_byte_milli, 1500);
    CHECK_EQ(set("compute_clusters=64"), 0);
    CHECK_EQ(machine.noc.torus_x, 9);
    CHECK_EQ(machine.noc.torus_y, 8);
    set_refused("noc.link=8",
                "noc.link: no such key; allowed are noc.torus_x, noc.torus_y, noc.link");
    set_refused("threds=8", "threds: no such key; allowed are hz, compute_clusters");
    set_refused("nok.link=8", "nok.link: no such key; allowed are hz, compute_clusters");
    set_refused("threads", "\"threads\": no \"=\"; allowed KEY=VALUE");
    set_refused("hz=1 GHz\n\n", "\"\": no \"=\"; allowed KEY=VALUE");
    set_refused("# hz=1 GHz", "\"\": no \"=\"; allowed KEY=VALUE");
    set_refused("=8", "\"=8\": no key before \"=\"");
    set_refused("include mini", "allowed KEY=VALUE");
    set_refused("threads=", "not a number");
    set_refused("noc.link_bytes=8 MHz", "allowed units B/cycle");
    set_refused("noc.link_bytes=0", "allowed 1 B/cycle ..");
    set_refused("compute_memory=5000", "compute_memory: not a multiple");
    set_refused("compute_clusters=64\nnoc.torus_x=4", "the torus has 16 nodes for 68 clusters");
}

static void test_not_files(void)
{
    CHECK_EQ(load_bytes("", 0), -B_EINVAL);
    CHECK_EQ(load_bytes("hz = 1 MHz\0", 11), -B_EINVAL);
    CHECK(strstr(why, "zero byte") != NULL);
    CHECK_EQ(hal_machine_load("no-such", &machine, why, sizeof why), -B_ENOENT);
    CHECK(strstr(why, "mini, mppa16k") != NULL);
    CHECK_EQ(hal_machine_load("./no-such.machine", &machine, why, sizeof why), -B_ENOENT);
    CHECK_EQ(hal_machine_load("", &machine, why, sizeof why), -B_ENOENT);
    CHECK_EQ(hal_machine_load(dir, &machine, why, sizeof why), -B_EINVAL);
    CHECK(strstr(why, "regular") || strstr(why, "name"));
    char other[PATH_MAX + 128];
    snprintf(other, sizeof other, "%s/pipe.machine", dir);
    CHECK_EQ(mkfifo(other, 0600), 0);
    CHECK_EQ(hal_machine_load(other, &machine, why, sizeof why), -B_EINVAL);
    unlink(other);
    snprintf(other, sizeof other, "%s/", dir);
    CHECK_EQ(hal_machine_load(other, &machine, why, sizeof why), -B_EINVAL);
    snprintf(other, sizeof other, "%s/a-name-that-is-much-too-long-for-a-machine.machine", dir);
    CHECK_EQ(hal_machine_load(other, &machine, why, sizeof why), -B_EINVAL);
    if (geteuid() != 0) {
        edit("", "");
        load_bytes(text, strlen(text));
        chmod(path, 0);
        CHECK_EQ(hal_machine_load(path, &machine, why, sizeof why), -B_ENOENT);
        chmod(path, 0600);
    }
    /* A short buffer for the answer holds what fits, and no buffer is fine too. */
    char small[8];
    CHECK_EQ(hal_machine_load("no-such", &machine, small, sizeof small), -B_ENOENT);
    CHECK(strlen(small) == sizeof small - 1);
    CHECK_EQ(load_bytes("x", 1), -B_EINVAL);
    CHECK_EQ(hal_machine_load(path, &machine, small, sizeof small), -B_EINVAL);
    CHECK_EQ(hal_machine_load(path, &machine, small, 0), -B_EINVAL);
}

static int read_nothing(const char *name, const char *from, char **to, char **bytes, size_t *n,
                        char *reason, size_t reason_size)
{
    (void)from, (void)to, (void)bytes, (void)n;
    snprintf(reason, reason_size, "%.20s: allowed is nothing here", name);
    return -B_ENOENT;
}

/* Random damage: bytes changed, dropped, lines doubled. Every answer is 0 or -B_EINVAL with a
 * reason, and a machine that loads is sane. */
static void test_damage(void)
{
    static const struct hal_settings none[HAL_SETTINGS];
    uint64_t random = 88172645463325252u;
    int loaded = 0;
    for (int round = 0; round < 4000; round++) {
        edit("", "");
        size_t n = strlen(text);
        for (int i = 0; i <= round % 4; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            size_t at = (size_t)(random >> 8) % n;
            if (random % 3 == 0) {
                memmove(text + at, text + at + 1, n - at - 1);
                n--;
            } else {
                text[at] = (char)(random % 3 == 1 ? (random >> 40) : '0' + (random >> 40) % 10);
            }
        }
        int rc = hal_machine_parse(path, text, n, read_nothing, none, &machine, why, sizeof why);
        CHECK(rc == 0 || (rc == -B_EINVAL && strstr(why, path) == why));
        CHECK(!strchr(why, '\n'));
        if (rc == 0) {
            loaded++;
            CHECK(machine.noc.torus_x * machine.noc.torus_y >=
                  (uint32_t)hal_machine_clusters(&machine));
            CHECK(machine.stack_size < machine.compute_memory);
        }
    }
    CHECK(loaded > 0 && loaded < 4000);
}

static void remove_files(void)
{
    static const char *const names[] = {"m.machine", "other.machine", "pipe.machine"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[PATH_MAX + 16];
        snprintf(name, sizeof name, "%s/%s", dir, names[i]);
        unlink(name);
    }
    rmdir(dir);
}

int main(void)
{
    CHECK(getcwd(dir, sizeof dir - sizeof "/machine_file_test.files") != NULL);
    strcat(dir, "/machine_file_test.files");
    remove_files();
    CHECK_EQ(mkdir(dir, 0700), 0);
    snprintf(path, sizeof path, "%s/m.machine", dir);
    test_repository_files();
    test_variant();
    test_model();
    test_vendor();
    test_ddr();
    test_form();
    test_refusals();
    test_include();
    test_settings();
    test_not_files();
    test_damage();
    remove_files();
    return 0;
}
