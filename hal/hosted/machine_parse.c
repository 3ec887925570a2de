/* SPDX-License-Identifier: MIT */
/* Text of machine files -> struct hal_machine. Lines "include NAME", then "key = value unit", '#'
 * starts a comment; every key once in a file. What a file says stands above what it includes, and
 * settings stand above all files. The first thing that is wrong is answered with "file:line: key:
 * reason; allowed ...". */
#include "machine_parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/config.h>
#include <base/error.h>

#include "machine_keys.h"

#define FILES_MAX 17 /* read for one machine, settings included */

/* Where something was said. Layers grow in the order in which values are set: a file's is above
 * those of all that it includes. */
struct place {
    int file, line, layer; /* line 0: not yet */
};

struct source {
    const char *name;
    int from;       /* the file that includes it, -1: none does */
    bool settings;  /* given one by one: no lines to name, the last one counts */
    char *own_name; /* to be freed, as is the text, or NULL */
    char *own_text;
};

struct parser {
    hal_machine_reader *read;
    struct hal_machine *machine;
    struct source file[FILES_MAX];
    int files, layers;
    struct place here;
    struct place key[HAL_KEYS_MAX]; /* where a key was given last */
    char *why;
    size_t why_size;
};

struct span {
    const char *text;
    size_t n;
};

static int parse_text(struct parser *p, int file, const char *text, size_t n);

__attribute__((format(printf, 3, 4))) static int refuse(struct parser *p, struct place at,
                                                        const char *format, ...)
{
    const struct source *file = &p->file[at.file];
    size_t used = 0;
    if (p->why_size > 0 && file->settings)
        used = (size_t)snprintf(p->why, p->why_size, "%s: ", file->name);
    else if (p->why_size > 0)
        used = (size_t)snprintf(p->why, p->why_size, "%s:%d: ", file->name, at.line);
    if (used < p->why_size) {
        va_list args;
        va_start(args, format);
        vsnprintf(p->why + used, p->why_size - used, format, args);
        va_end(args);
    }
    return -B_EINVAL;
}

/* A piece of the file for a message: short, and printable whatever the file holds. */
static const char *quote(struct span s, char buf[40])
{
    size_t n = s.n < 32 ? s.n : 32;
    for (size_t i = 0; i < n; i++)
        buf[i] = (char)(s.text[i] >= ' ' && s.text[i] <= '~' ? s.text[i] : '?');
    strcpy(buf + n, s.n > n ? "..." : "");
    return buf;
}

static const char *allowed(const struct hal_key *key, char buf[96])
{
    char low[32], high[32];
    if (key->words) {
        size_t used = 0;
        for (const char *const *word = key->words; *word && used < 96; word++)
            used += (size_t)snprintf(buf + used, 96 - used, "%s%s", used == 0 ? "" : ", ", *word);
        return buf;
    }
    snprintf(buf, 96, "%s .. %s", hal_units_format(key->min, key->unit, low, sizeof low),
             hal_units_format(key->max, key->unit, high, sizeof high));
    return buf;
}

static struct span trim(struct span s)
{
    while (s.n > 0 && (s.text[0] == ' ' || s.text[0] == '\t')) {
        s.text++;
        s.n--;
    }
    while (s.n > 0 &&
           (s.text[s.n - 1] == ' ' || s.text[s.n - 1] == '\t' || s.text[s.n - 1] == '\r'))
        s.n--;
    return s;
}

static bool equals(struct span s, const char *text)
{
    return s.n == strlen(text) && memcmp(s.text, text, s.n) == 0;
}

static int set_word(struct parser *p, const struct hal_key *key, struct span value)
{
    char shown[40], names[96];
    for (uint64_t i = 0; key->words[i]; i++) {
        if (equals(value, key->words[i])) {
            hal_key_set(p->machine, key, i);
            return 0;
        }
    }
    return refuse(p, p->here, "%s: \"%s\" is none of them; allowed %s", key->name,
                  quote(value, shown), allowed(key, names));
}

static int set_number(struct parser *p, const struct hal_key *key, struct span value)
{
    char shown[40], range[96], names[64];
    uint64_t number = 0;
    const char *missing = p->file[p->here.file].settings ? hal_units_base(key->unit) : NULL;
    switch (hal_units_parse(value.text, value.n, key->unit, missing, &number)) {
    case 0:
        break;
    case -B_ENOENT:
        return refuse(p, p->here, "%s: \"%s\" has no unit of this key; allowed units %s", key->name,
                      quote(value, shown), hal_units_names(key->unit, names, sizeof names));
    case -B_EINVAL:
        return refuse(p, p->here, "%s: \"%s\" is not a number with a unit; allowed %s", key->name,
                      quote(value, shown), allowed(key, range));
    default:
        return refuse(p, p->here, "%s: \"%s\" is too large or too finely divided; allowed %s",
                      key->name, quote(value, shown), allowed(key, range));
    }
    if (number < key->min || number > key->max) {
        return refuse(p, p->here, "%s: \"%s\" is out of range; allowed %s", key->name,
                      quote(value, shown), allowed(key, range));
    }
    hal_key_set(p->machine, key, number);
    return 0;
}

/* Whether `file` or one that includes it has this name. */
static bool includes_itself(const struct parser *p, int file, const char *name)
{
    while (file >= 0 && strcmp(p->file[file].name, name) != 0)
        file = p->file[file].from;
    return file >= 0;
}

static int include(struct parser *p, struct span name)
{
    char shown[40], copy[256], *path = NULL, *text = NULL;
    size_t n = 0;
    const struct place here = p->here;
    for (size_t i = 0; i < hal_key_count; i++)
        if (p->key[i].line != 0 && p->key[i].file == here.file)
            return refuse(p, here, "include: behind a key; allowed before the first key of a file");
    if (name.n == 0 || name.n >= sizeof copy) {
        return refuse(p, here, "include: \"%s\" is no name; allowed are machines and paths",
                      quote(name, shown));
    }
    memcpy(copy, name.text, name.n);
    copy[name.n] = '\0';
    char why[512];
    if (p->read(copy, p->file[here.file].name, &path, &text, &n, why, sizeof why) != 0)
        return refuse(p, here, "include: %s", why);
    int rc;
    if (includes_itself(p, here.file, path)) {
        rc = refuse(p, here, "include: %s includes itself this way; allowed are no circles", path);
    } else if (p->files == FILES_MAX - HAL_SETTINGS) {
        rc = refuse(p, here, "include: one file too many; allowed are %d",
                    FILES_MAX - HAL_SETTINGS - 1);
    } else {
        p->file[p->files] =
            (struct source){.name = path, .from = here.file, .own_name = path, .own_text = text};
        rc = parse_text(p, p->files++, text, n);
        p->here = (struct place){here.file, here.line, ++p->layers};
        return rc;
    }
    free(path);
    free(text);
    return rc;
}

/* The keys of the same chapter: those that begin alike up to the dot, or have none. */
static int refuse_key(struct parser *p, struct span name)
{
    char shown[40], names[512] = "";
    const char *dot = memchr(name.text, '.', name.n);
    size_t chapter = dot ? (size_t)(dot - name.text) + 1 : 0, used = 0;
    for (int any = 0; any < 2 && used == 0; any++, chapter = 0) {
        for (size_t i = 0; i < hal_key_count && used < sizeof names; i++) {
            const char *key = hal_keys[i].name;
            if (chapter == 0 ? !strchr(key, '.') : strncmp(key, name.text, chapter) == 0) {
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         used == 0 ? "" : ", ", key);
            }
        }
    }
    return refuse(p, p->here, "%s: no such key; allowed are %s", quote(name, shown), names);
}

static int set_key(struct parser *p, struct span name, struct span value)
{
    for (size_t i = 0; i < hal_key_count; i++) {
        const struct hal_key *key = &hal_keys[i];
        if (!equals(name, key->name))
            continue;
        if (p->key[i].line != 0 && p->key[i].file == p->here.file &&
            !p->file[p->here.file].settings) {
            return refuse(p, p->here, "%s: given before on line %d; allowed once", key->name,
                          p->key[i].line);
        }
        p->key[i] = p->here;
        return key->words ? set_word(p, key, value) : set_number(p, key, value);
    }
    return refuse_key(p, name);
}

static int take_line(struct parser *p, struct span line)
{
    static const size_t word = sizeof "include" - 1;
    char shown[40];
    const char *comment = memchr(line.text, '#', line.n);
    if (comment)
        line.n = (size_t)(comment - line.text);
    line = trim(line);
    if (line.n == 0 && !p->file[p->here.file].settings)
        return 0;
    const char *equal = memchr(line.text, '=', line.n);
    if (equal == line.text)
        return refuse(p, p->here, "\"%s\": no key before \"=\"", quote(line, shown));
    if (equal) {
        return set_key(p, trim((struct span){line.text, (size_t)(equal - line.text)}),
                       trim((struct span){equal + 1, line.n - (size_t)(equal - line.text) - 1}));
    }
    if (p->file[p->here.file].settings)
        return refuse(p, p->here, "\"%s\": no \"=\"; allowed KEY=VALUE", quote(line, shown));
    if (line.n > word && strncmp(line.text, "include", word) == 0 &&
        (line.text[word] == ' ' || line.text[word] == '\t'))
        return include(p, trim((struct span){line.text + word, line.n - word}));
    return refuse(p, p->here,
                  "\"%s\": no \"=\"; allowed lines \"key = value unit\" and \"include NAME\"",
                  quote(line, shown));
}

static struct place place_of(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < hal_key_count; i++)
        if (strcmp(hal_keys[i].name, name) == 0)
            return p->key[i];
    return p->here;
}

/* Of two keys that do not agree: where the one was given that came last. */
static struct place later_of(const struct parser *p, const char *key, const char *other)
{
    struct place a = place_of(p, key), b = place_of(p, other);
    return b.layer > a.layer ? b : a;
}

static int check_complete(struct parser *p)
{
    for (size_t i = 0; i < hal_key_count; i++) {
        if (p->key[i].line == 0) {
            char range[96];
            return refuse(p, p->here, "%s: missing (%s); allowed %s", hal_keys[i].name,
                          hal_keys[i].meaning, allowed(&hal_keys[i], range));
        }
    }
    return 0;
}

static int check_memory(struct parser *p, const char *key, uint64_t memory)
{
    const struct hal_machine *m = p->machine;
    if (memory % m->page_size != 0) {
        return refuse(p, later_of(p, key, "page_size"),
                      "%s: not a multiple of the page; allowed multiples of %" PRIu32 " B", key,
                      m->page_size);
    }
    if (m->stack_size >= memory) {
        return refuse(p, later_of(p, "stack_size", key),
                      "stack_size: a stack fills the memory of a cluster; allowed less than %s, "
                      "%" PRIu64 " B",
                      key, memory);
    }
    return 0;
}

/* A port that is flooded must not take the last buffer of another: one is owed to each, and
 * there is one more each to share. */
static int check_buffers(struct parser *p, const char *key, uint32_t buffers)
{
    uint32_t ports = p->machine->mailbox_ports;
    if (buffers < ports) {
        return refuse(p, later_of(p, key, "mailbox_ports"),
                      "%s: too few for %" PRIu32 " mailbox_ports; allowed %" PRIu32 " or more", key,
                      ports, ports);
    }
    return 0;
}

/* Who changes the number of clusters of a machine, and says nothing of the torus, means one that is
 * as square as may be. */
static void fit_torus(struct parser *p)
{
    struct hal_machine *m = p->machine;
    int compute = place_of(p, "compute_clusters").layer, io = place_of(p, "io_clusters").layer;
    int x = place_of(p, "noc.torus_x").layer, y = place_of(p, "noc.torus_y").layer;
    uint32_t clusters = m->compute_clusters + m->io_clusters, side = 1;
    if ((compute > io ? compute : io) <= (x > y ? x : y))
        return;
    while (side * side < clusters)
        side++;
    m->noc.torus_x = side;
    m->noc.torus_y = (clusters + side - 1) / side;
}

/* What single ranges cannot say. */
static int check_relations(struct parser *p)
{
    const struct hal_machine *m = p->machine;
    uint64_t clusters = (uint64_t)m->compute_clusters + m->io_clusters;
    if (clusters > HAL_CLUSTERS_MAX) {
        return refuse(p, later_of(p, "io_clusters", "compute_clusters"),
                      "io_clusters: together with compute_clusters %" PRIu64 "; allowed %d",
                      clusters, HAL_CLUSTERS_MAX);
    }
    if ((uint64_t)m->noc.torus_x * m->noc.torus_y < clusters) {
        return refuse(p, later_of(p, "noc.torus_y", "noc.torus_x"),
                      "noc.torus_y: the torus has %" PRIu64 " nodes for %" PRIu64
                      " clusters; allowed at least as many nodes as clusters",
                      (uint64_t)m->noc.torus_x * m->noc.torus_y, clusters);
    }
    if ((m->page_size & (m->page_size - 1)) != 0) {
        return refuse(p, place_of(p, "page_size"),
                      "page_size: not a power of two; allowed 256 B, 512 B, 1 KB, ...");
    }
    if (check_memory(p, "compute_memory", m->compute_memory) != 0 ||
        check_buffers(p, "mail_buffers", m->mail_buffers) != 0 ||
        check_buffers(p, "mail_buffers_local", m->mail_buffers_local) != 0)
        return -B_EINVAL;
    if (m->asymmetric && m->compute_cores < 2) {
        return refuse(p, later_of(p, "asymmetric", "compute_cores"),
                      "asymmetric: the only core would be the kernel's; allowed with 2 or more "
                      "cores per cluster");
    }
    if (m->io_clusters == 0)
        return 0;
    if (m->io_cores < (m->asymmetric ? 2u : 1u)) {
        return refuse(p, later_of(p, "io_cores", "io_clusters"),
                      "io_cores: too few for the %" PRIu32 " I/O clusters; allowed %d or more",
                      m->io_clusters, m->asymmetric ? 2 : 1);
    }
    if (m->io_memory == 0) {
        return refuse(p, later_of(p, "io_memory", "io_clusters"),
                      "io_memory: none for the %" PRIu32 " I/O clusters; allowed multiples of "
                      "%" PRIu32 " B",
                      m->io_clusters, m->page_size);
    }
    return check_memory(p, "io_memory", m->io_memory);
}

static int parse_text(struct parser *p, int file, const char *text, size_t n)
{
    const char *end = text + n;
    p->here = (struct place){.file = file, .layer = ++p->layers};
    for (const char *at = text; at < end; at++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct span line = {at, (size_t)((newline ? newline : end) - at)};
        p->here.line++;
        if (memchr(line.text, '\0', line.n))
            return refuse(p, p->here, "a zero byte; allowed is text");
        int rc = take_line(p, line);
        if (rc != 0)
            return rc;
        at = line.text + line.n;
    }
    return 0;
}

static int parse_all(struct parser *p, const char *text, size_t n,
                     const struct hal_settings settings[HAL_SETTINGS])
{
    int rc = parse_text(p, 0, text, n);
    rc = rc != 0 ? rc : check_complete(p);
    for (int i = 0; i < HAL_SETTINGS && rc == 0; i++) {
        const struct hal_settings *s = &settings[i];
        if (s->lines) {
            p->file[p->files] = (struct source){.name = s->by, .from = -1, .settings = true};
            rc = parse_text(p, p->files++, s->lines, strlen(s->lines));
        }
    }
    if (rc == 0) {
        fit_torus(p);
        rc = check_relations(p);
    }
    return rc;
}

int hal_machine_parse(const char *file, const char *text, size_t n, hal_machine_reader *read,
                      const struct hal_settings settings[HAL_SETTINGS], struct hal_machine *m,
                      char *why, size_t why_size)
{
    struct parser p = {.read = read,
                       .machine = m,
                       .file = {{.name = file, .from = -1}},
                       .files = 1,
                       .why = why,
                       .why_size = why_size};
    if (why_size > 0)
        why[0] = '\0';
    int rc = parse_all(&p, text, n, settings);
    for (int i = 0; i < p.files; i++) {
        free(p.file[i].own_name);
        free(p.file[i].own_text);
    }
    return rc;
}
