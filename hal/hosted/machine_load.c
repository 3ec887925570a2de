/* SPDX-License-Identifier: MIT */
/* Where machine files are, and reading one. */
#include <hal/hosted.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>

#include "machine_keys.h"
#include "machine_parse.h"

#define SUFFIX   ".machine"
#define ANCESTOR "ancestor"
#define FILE_MAX ((size_t)256 * 1024) /* bytes; a machine file has some 5 KB */
#define NAMES    64                   /* machines that a list may hold */

/* Folder number i in which machines are searched: 0, or -B_ENOENT past the last. */
static int folder(int i, char *buf, size_t size)
{
    static const char *const beside[] = {"../share/lwmpi/machines", "../machines"};
    char self[PATH_MAX];
    const char *set = getenv("LWMPI_MACHINES");
    buf[0] = '\0';
    switch (i) {
    case 0:
        snprintf(buf, size, "%s", set ? set : "");
        return 0;
    case 1:
    case 2: {
        /* The object that holds this code: a command, or the library beside the commands. */
        Dl_info info;
        if (dladdr(hal_machine_list, &info) == 0 || !info.dli_fname ||
            !realpath(info.dli_fname, self)) {
            ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
            self[n > 0 ? n : 0] = '\0';
        }
        char *slash = strrchr(self, '/');
        if (slash)
            snprintf(buf, size, "%.*s/%s", (int)(slash - self), self, beside[i - 1]);
        return 0;
    }
    case 3:
        snprintf(buf, size, "%s", LWMPI_MACHINES_DIR);
        return 0;
    default:
        return -B_ENOENT;
    }
}

static bool ends_in(const char *text, const char *suffix)
{
    size_t n = strlen(text), k = strlen(suffix);
    return n > k && strcmp(text + n - k, suffix) == 0;
}

int hal_machine_beside(const char *file, char *path, size_t size)
{
    char dir[PATH_MAX];
    for (int i = 0; folder(i, dir, sizeof dir) == 0; i++)
        if (dir[0] != '\0' && (size_t)snprintf(path, size, "%s/%s", dir, file) < size &&
            access(path, F_OK) == 0)
            return 0;
    return -B_ENOENT;
}

static int find(const char *name, char *path, size_t size, char *why, size_t why_size)
{
    if (strchr(name, '/') || ends_in(name, SUFFIX)) {
        snprintf(path, size, "%s", name);
        return 0;
    }
    char file[256], names[512];
    if ((size_t)snprintf(file, sizeof file, "%s%s", name, SUFFIX) < sizeof file &&
        hal_machine_beside(file, path, size) == 0)
        return 0;
    hal_machine_list(names, sizeof names);
    snprintf(why, why_size, "machine \"%.64s\": unknown; allowed are %s, or the path of a %s file",
             name, names, SUFFIX);
    return -B_ENOENT;
}

/* The whole file in memory of malloc. */
static int read_file(const char *path, char **text, size_t *n, char *why, size_t why_size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a named pipe must not hold us up */
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -B_ENOENT;
    }
    int rc = -B_EINVAL;
    *text = NULL;
    *n = 0;
    if (!S_ISREG(st.st_mode)) {
        snprintf(why, why_size, "%s: not a regular file; allowed is a text file", path);
    } else if ((size_t)st.st_size > FILE_MAX) {
        snprintf(why, why_size, "%s: too long; allowed %zu bytes", path, FILE_MAX);
    } else if (!(*text = malloc((size_t)st.st_size + 1))) {
        snprintf(why, why_size, "%s: out of memory", path);
    } else {
        ssize_t got = 0;
        while (*n < (size_t)st.st_size && (got = read(fd, *text + *n, (size_t)st.st_size - *n)) > 0)
            *n += (size_t)got;
        rc = got < 0 ? -B_EINVAL : 0;
        if (rc != 0) {
            snprintf(why, why_size, "%s: %s", path, strerror(errno));
            free(*text);
        }
    }
    close(fd);
    return rc;
}

/* "mini" of ".../mini.machine" */
static int set_name(const char *path, struct hal_machine *m, char *why, size_t why_size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strlen(base);
    if (ends_in(base, SUFFIX))
        n -= strlen(SUFFIX);
    if (n == 0 || n >= sizeof m->name) {
        snprintf(why, why_size, "%s: bad name of a machine; allowed 1 .. %zu characters", path,
                 sizeof m->name - 1);
        return -B_EINVAL;
    }
    memcpy(m->name, base, n);
    m->name[n] = '\0';
    return 0;
}

/* LWMPI_VARIANT stands above the machine file. */
static int override(struct hal_machine *m, char *why, size_t why_size)
{
    const char *text = getenv("LWMPI_VARIANT");
    if (!text || text[0] == '\0')
        return 0;
    for (uint32_t i = 0; hal_variant_names[i]; i++) {
        if (strcmp(text, hal_variant_names[i]) == 0) {
            m->variant = i;
            return 0;
        }
    }
    snprintf(why, why_size, "LWMPI_VARIANT: \"%.40s\" is none of them; allowed %s, %s, %s", text,
             hal_variant_names[HAL_BASELINE], hal_variant_names[HAL_PARTIAL],
             hal_variant_names[HAL_FULL]);
    return -B_EINVAL;
}

/* hal_machine_reader: a machine by name as for --machine; a path begins at the folder of `from`. */
static int read_included(const char *name, const char *from, char **path, char **text, size_t *n,
                         char *why, size_t why_size)
{
    char found[PATH_MAX];
    const char *slash = strrchr(from, '/');
    int rc = find(name, found, sizeof found, why, why_size);
    if (rc != 0)
        return rc;
    char full[2 * PATH_MAX];
    bool beside = strcmp(found, name) == 0 && name[0] != '/' && slash;
    snprintf(full, sizeof full, "%.*s%s", beside ? (int)(slash - from) + 1 : 0, from, found);
    *path = realpath(full, NULL); /* one name for one file, so that circles are seen */
    if (!*path) {
        snprintf(why, why_size, "%.256s: %s", full, strerror(errno));
        return -B_ENOENT;
    }
    rc = read_file(*path, text, n, why, why_size);
    if (rc != 0)
        free(*path);
    return rc;
}

static bool is_name(const char *name, const char *text, size_t n)
{
    return strncmp(name, text, n) == 0 && name[n] == '\0';
}

/* Sets the key of one of the styles that LWMPI_MODEL names, or those of all parts of the ancestor;
 * false: `name` is none of them. */
static bool set_model(struct hal_machine *m, const char *name, size_t n)
{
    static const struct {
        const char *name, *key;
    } others[] = {{"vendor", "vendor_layer"}, {"ddr", "io_ddr"}};
    bool all = is_name(ANCESTOR, name, n), found = false;
    bool one = n > sizeof ANCESTOR && strncmp(name, ANCESTOR "-", sizeof ANCESTOR) == 0;
    for (size_t i = 0; i < hal_key_count; i++) {
        const char *key = hal_keys[i].name;
        bool part = strncmp(key, ANCESTOR "_", sizeof ANCESTOR) == 0;
        bool named = part && one &&
                     is_name(key + sizeof ANCESTOR, name + sizeof ANCESTOR, n - sizeof ANCESTOR);
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
            named |= strcmp(key, others[k].key) == 0 && is_name(others[k].name, name, n);
        if ((part && all) || named) {
            hal_key_set(m, &hal_keys[i], true);
            found = true;
        }
    }
    return found;
}

/* LWMPI_MODEL, a list of styles, adds to the machine file. */
static int add_model(struct hal_machine *m, char *why, size_t why_size)
{
    const char *text = getenv("LWMPI_MODEL");
    while (text && text[0] != '\0') {
        size_t n = strcspn(text, ",");
        if (!set_model(m, text, n)) {
            snprintf(
                why, why_size,
                "LWMPI_MODEL: \"%.*s\" is none of them; allowed are ddr, vendor, "
                "ancestor, ancestor-threads, ancestor-portals and ancestor-waiting, with commas "
                "between",
                n < 40 ? (int)n : 40, text);
            return -B_EINVAL;
        }
        text += n + (text[n] == ',');
    }
    return 0;
}

/* A style without its price would make free what it is to make dear. */
static int check_model(const struct hal_machine *m, char *why, size_t why_size)
{
    const struct {
        bool used;
        uint64_t value;
        const char *key, *of;
    } style[] = {
        {m->ancestor_threads, m->cost.thread_search, "ancestor_threads", "cost.thread_search"},
        {m->ancestor_portals, m->cost.copy_byte_milli, "ancestor_portals", "cost.copy_byte_milli"},
        {m->ancestor_waiting, m->cost.kernel_call, "ancestor_waiting", "cost.kernel_call"},
        {m->vendor_layer, m->cost.vendor_mail, "vendor_layer", "cost.vendor_mail"},
        {m->vendor_layer, m->cost.vendor_portal, "vendor_layer", "cost.vendor_portal"},
        {m->io_ddr, m->cost.ddr_send, "io_ddr", "cost.ddr_send"},
        {m->io_ddr, m->cost.ddr_receive, "io_ddr", "cost.ddr_receive"},
        {m->io_ddr, m->noc.ddr_core_milli, "io_ddr", "noc.ddr_core_milli"},
        {m->io_ddr, m->noc.ddr_dma_milli, "io_ddr", "noc.ddr_dma_milli"},
        {m->io_ddr, m->io_clusters, "io_ddr", "io_clusters"},
        {m->io_ddr, m->ddr_memory, "io_ddr", "ddr_memory"},
    };
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++) {
        if (style[i].used && style[i].value == 0) {
            snprintf(why, why_size,
                     "machine \"%s\": %s has no price; %s must be above 0, or LWMPI_MODEL unset "
                     "and %s no",
                     m->name, style[i].key, style[i].of, style[i].key);
            return -B_EINVAL;
        }
    }
    return 0;
}

/* What styles change in the values of others: each access to the network takes longer, and memory
 * is another one. */
static int apply_model(struct hal_machine *m, char *why, size_t why_size)
{
    if (m->vendor_layer) {
        m->cost.mail_send += m->cost.vendor_mail;
        m->cost.portal_setup += m->cost.vendor_portal;
    }
    if (m->io_ddr)
        m->io_memory = m->ddr_memory / m->page_size * m->page_size;
    if (!m->io_ddr || m->io_memory > m->stack_size)
        return 0;
    snprintf(why, why_size,
             "machine \"%s\": ddr_memory: a stack fills it; allowed more than stack_size, %u B",
             m->name, (unsigned)m->stack_size);
    return -B_EINVAL;
}

int hal_machine_load(const char *name, struct hal_machine *m, char *why, size_t why_size)
{
    return hal_machine_load_set(name, "", NULL, m, why, why_size);
}

int hal_machine_load_set(const char *name, const char *by, const char *settings,
                         struct hal_machine *m, char *why, size_t why_size)
{
    const struct hal_settings set[HAL_SETTINGS] = {{"--set", getenv("LWMPI_SET")}, {by, settings}};
    char path[PATH_MAX], *text;
    size_t n;
    struct hal_machine machine = {.name = ""};
    int rc = find(name, path, sizeof path, why, why_size);
    if (rc == 0)
        rc = set_name(path, &machine, why, why_size);
    if (rc == 0)
        rc = read_file(path, &text, &n, why, why_size);
    if (rc != 0)
        return rc;
    rc = hal_machine_parse(path, text, n, read_included, set, &machine, why, why_size);
    free(text);
    rc = rc != 0 ? rc : override(&machine, why, why_size);
    rc = rc != 0 ? rc : add_model(&machine, why, why_size);
    rc = rc != 0 ? rc : check_model(&machine, why, why_size);
    rc = rc != 0 ? rc : apply_model(&machine, why, why_size);
    if (rc == 0)
        *m = machine;
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

void hal_machine_list(char *buf, size_t size)
{
    char dir[PATH_MAX], names[NAMES][HAL_MACHINE_NAME_MAX];
    size_t count = 0, used = 0;
    for (int i = 0; folder(i, dir, sizeof dir) == 0; i++) {
        DIR *d = dir[0] == '\0' ? NULL : opendir(dir);
        for (struct dirent *e; d && (e = readdir(d));) {
            size_t n = strlen(e->d_name);
            if (count == NAMES || !ends_in(e->d_name, SUFFIX) ||
                n - strlen(SUFFIX) >= HAL_MACHINE_NAME_MAX)
                continue;
            memcpy(names[count], e->d_name, n - strlen(SUFFIX));
            names[count++][n - strlen(SUFFIX)] = '\0';
        }
        if (d)
            closedir(d);
    }
    qsort(names, count, sizeof names[0], by_name);
    if (size > 0)
        buf[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) {
            used +=
                (size_t)snprintf(buf + used, size - used, "%s%s", used == 0 ? "" : ", ", names[i]);
        }
    }
}
