/* SPDX-License-Identifier: MIT */
/* Text of a machine file -> struct hal_machine. Lines "key = value unit", '#' starts a comment;
 * every key once. The first thing that is wrong is answered with "file:line: key: reason;
 * allowed ...". */
#include "machine_parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <base/config.h>
#include <base/error.h>

#include "machine_keys.h"

struct parser {
    const char *file;
    struct hal_machine *machine;
    int line;
    int key_line[HAL_KEYS_MAX]; /* where a key was given, 0 = not yet */
    char *why;
    size_t why_size;
};

struct span {
    const char *text;
    size_t n;
};

__attribute__((format(printf, 3, 4))) static int refuse(struct parser *p, int line,
                                                        const char *format, ...)
{
    size_t used = 0;
    if (p->why_size > 0) {
        used = (size_t)snprintf(p->why, p->why_size, "%s:%d: ", p->file, line);
    }
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
    for (size_t i = 0; i < n; i++) {
        buf[i] = (char)(s.text[i] >= ' ' && s.text[i] <= '~' ? s.text[i] : '?');
    }
    strcpy(buf + n, s.n > n ? "..." : "");
    return buf;
}

static const char *allowed(const struct hal_key *key, char buf[96])
{
    char low[32], high[32];
    if (key->words != NULL) {
        size_t used = 0;
        for (const char *const *word = key->words; *word != NULL && used < 96; word++) {
            used += (size_t)snprintf(buf + used, 96 - used, "%s%s", used == 0 ? "" : ", ", *word);
        }
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
           (s.text[s.n - 1] == ' ' || s.text[s.n - 1] == '\t' || s.text[s.n - 1] == '\r')) {
        s.n--;
    }
    return s;
}

static bool equals(struct span s, const char *text)
{
    return s.n == strlen(text) && memcmp(s.text, text, s.n) == 0;
}

static int set_word(struct parser *p, const struct hal_key *key, struct span value)
{
    char shown[40], names[96];
    for (uint64_t i = 0; key->words[i] != NULL; i++) {
        if (equals(value, key->words[i])) {
            hal_key_set(p->machine, key, i);
            return 0;
        }
    }
    return refuse(p, p->line, "%s: \"%s\" is none of them; allowed %s", key->name,
                  quote(value, shown), allowed(key, names));
}

static int set_number(struct parser *p, const struct hal_key *key, struct span value)
{
    char shown[40], range[96], names[64];
    uint64_t number = 0;
    switch (hal_units_parse(value.text, value.n, key->unit, NULL, &number)) {
    case 0:
        break;
    case -B_ENOENT:
        return refuse(p, p->line, "%s: \"%s\" has no unit of this key; allowed units %s", key->name,
                      quote(value, shown), hal_units_names(key->unit, names, sizeof names));
    case -B_EINVAL:
        return refuse(p, p->line, "%s: \"%s\" is not a number with a unit; allowed %s", key->name,
                      quote(value, shown), allowed(key, range));
    default:
        return refuse(p, p->line, "%s: \"%s\" is too large or too finely divided; allowed %s",
                      key->name, quote(value, shown), allowed(key, range));
    }
    if (number < key->min || number > key->max) {
        return refuse(p, p->line, "%s: \"%s\" is out of range; allowed %s", key->name,
                      quote(value, shown), allowed(key, range));
    }
    hal_key_set(p->machine, key, number);
    return 0;
}

static int take_line(struct parser *p, struct span line)
{
    char shown[40];
    const char *comment = memchr(line.text, '#', line.n);
    if (comment != NULL) {
        line.n = (size_t)(comment - line.text);
    }
    line = trim(line);
    if (line.n == 0) {
        return 0;
    }
    const char *equal = memchr(line.text, '=', line.n);
    if (equal == NULL) {
        return refuse(p, p->line, "\"%s\": no \"=\"; allowed lines \"key = value unit\"",
                      quote(line, shown));
    }
    struct span name = trim((struct span){line.text, (size_t)(equal - line.text)});
    struct span value = trim((struct span){equal + 1, line.n - (size_t)(equal - line.text) - 1});
    for (size_t i = 0; i < hal_key_count; i++) {
        const struct hal_key *key = &hal_keys[i];
        if (!equals(name, key->name)) {
            continue;
        }
        if (p->key_line[i] != 0) {
            return refuse(p, p->line, "%s: given before on line %d; allowed once", key->name,
                          p->key_line[i]);
        }
        p->key_line[i] = p->line;
        return key->words != NULL ? set_word(p, key, value) : set_number(p, key, value);
    }
    return refuse(p, p->line, "%s: no such key; allowed are the fields of hal/machine.h",
                  quote(name, shown));
}

static int line_of(const struct parser *p, const char *name)
{
    for (size_t i = 0; i < hal_key_count; i++) {
        if (strcmp(hal_keys[i].name, name) == 0) {
            return p->key_line[i];
        }
    }
    return 0;
}

static int check_complete(struct parser *p)
{
    for (size_t i = 0; i < hal_key_count; i++) {
        if (p->key_line[i] == 0) {
            char range[96];
            return refuse(p, p->line, "%s: missing (%s); allowed %s", hal_keys[i].name,
                          hal_keys[i].meaning, allowed(&hal_keys[i], range));
        }
    }
    return 0;
}

static int check_memory(struct parser *p, const char *key, uint64_t memory)
{
    const struct hal_machine *m = p->machine;
    if (memory % m->page_size != 0) {
        return refuse(p, line_of(p, key),
                      "%s: not a multiple of the page; allowed multiples of %" PRIu32 " B", key,
                      m->page_size);
    }
    if (m->stack_size >= memory) {
        return refuse(p, line_of(p, "stack_size"),
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
    if (buffers < 2 * ports) {
        return refuse(p, line_of(p, key),
                      "%s: too few for %" PRIu32 " mailbox_ports; allowed %" PRIu32 " or more", key,
                      ports, 2 * ports);
    }
    return 0;
}

/* What single ranges cannot say. */
static int check_relations(struct parser *p)
{
    const struct hal_machine *m = p->machine;
    uint64_t clusters = (uint64_t)m->compute_clusters + m->io_clusters;
    if (clusters > HAL_CLUSTERS_MAX) {
        return refuse(p, line_of(p, "io_clusters"),
                      "io_clusters: together with compute_clusters %" PRIu64 "; allowed %d",
                      clusters, HAL_CLUSTERS_MAX);
    }
    if ((uint64_t)m->noc.torus_x * m->noc.torus_y < clusters) {
        return refuse(p, line_of(p, "noc.torus_y"),
                      "noc.torus_y: the torus has %" PRIu64 " nodes for %" PRIu64
                      " clusters; allowed at least as many nodes as clusters",
                      (uint64_t)m->noc.torus_x * m->noc.torus_y, clusters);
    }
    if ((m->page_size & (m->page_size - 1)) != 0) {
        return refuse(p, line_of(p, "page_size"),
                      "page_size: not a power of two; allowed 256 B, 512 B, 1 KB, ...");
    }
    if (check_memory(p, "compute_memory", m->compute_memory) != 0 ||
        check_buffers(p, "mail_buffers", m->mail_buffers) != 0 ||
        check_buffers(p, "mail_buffers_local", m->mail_buffers_local) != 0) {
        return -B_EINVAL;
    }
    if (m->asymmetric && m->compute_cores < 2) {
        return refuse(p, line_of(p, "asymmetric"),
                      "asymmetric: the only core would be the kernel's; allowed with 2 or more "
                      "cores per cluster");
    }
    if (m->io_clusters == 0) {
        return 0;
    }
    if (m->io_cores < (m->asymmetric ? 2u : 1u)) {
        return refuse(p, line_of(p, "io_cores"),
                      "io_cores: too few for the %" PRIu32 " I/O clusters; allowed %d or more",
                      m->io_clusters, m->asymmetric ? 2 : 1);
    }
    if (m->io_memory == 0) {
        return refuse(p, line_of(p, "io_memory"),
                      "io_memory: none for the %" PRIu32 " I/O clusters; allowed multiples of "
                      "%" PRIu32 " B",
                      m->io_clusters, m->page_size);
    }
    return check_memory(p, "io_memory", m->io_memory);
}

int hal_machine_parse(const char *file, const char *text, size_t n, struct hal_machine *m,
                      char *why, size_t why_size)
{
    struct parser p = {.file = file, .machine = m, .why = why, .why_size = why_size};
    if (why_size > 0) {
        why[0] = '\0';
    }
    const char *end = text + n;
    for (const char *at = text; at < end; at++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct span line = {at, (size_t)((newline == NULL ? end : newline) - at)};
        p.line++;
        if (memchr(line.text, '\0', line.n) != NULL) {
            return refuse(&p, p.line, "a zero byte; allowed is text");
        }
        int rc = take_line(&p, line);
        if (rc != 0) {
            return rc;
        }
        at = line.text + line.n;
    }
    int rc = check_complete(&p);
    return rc != 0 ? rc : check_relations(&p);
}
