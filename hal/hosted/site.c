/* SPDX-License-Identifier: MIT */
/* File and line of an address in a process. The process need not be the caller: its map tells which
 * file lies there, the file's headers at which of its own addresses, and addr2line, where that is
 * installed and the program was compiled with -g, what stands there. */
#include <hal/site.h>

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Parts are no memory of malloc, as who asks may be a rank, whose memory is counted. */
static bool grow(struct hal_map *map)
{
    size_t has = (size_t)map->room * sizeof *map->part;
    int room = map->room == 0 ? 64 : 2 * map->room;
    size_t wants = (size_t)room * sizeof *map->part;
    void *p = has == 0
                  ? mmap(NULL, wants, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                  : mremap(map->part, has, wants, MREMAP_MAYMOVE);
    if (p == MAP_FAILED)
        return false;
    map->part = p;
    map->room = room;
    return true;
}

static bool add(struct hal_map *map, const struct hal_part *part, const char *path)
{
    if (map->n == map->room && !grow(map))
        return false;
    /* Most parts are of the file of the one before. */
    const char *last = map->n == 0 ? NULL : map->part[map->n - 1].path;
    map->part[map->n] = *part;
    map->part[map->n].path = last && strcmp(last, path) == 0 ? last : strdup(path);
    return map->part[map->n++].path != NULL;
}

/* The system tells the parts in the order of their addresses. */
void hal_map_read(struct hal_map *map, int process)
{
    char name[64], may[5], path[PATH_MAX], line[PATH_MAX + 128];
    struct hal_part part;
    hal_map_forget(map);
    snprintf(name, sizeof name, "/proc/%d/maps", process);
    FILE *maps = fopen(name, "re");
    bool room = true;
    while (maps && room && fgets(line, sizeof line, maps)) {
        bool code = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %4095[^\n]",
                           &part.low, &part.high, may, &part.offset, path) == 5 &&
                    may[2] == 'x' && path[0] == '/';
        room = !code || add(map, &part, path);
    }
    if (maps)
        fclose(maps);
    map->process = process;
}

void hal_map_forget(struct hal_map *map)
{
    for (int i = 0; i < map->n; i++)
        if (i == map->n - 1 || map->part[i].path != map->part[i + 1].path)
            free((void *)(uintptr_t)map->part[i].path);
    if (map->room > 0)
        munmap(map->part, (size_t)map->room * sizeof *map->part);
    *map = (struct hal_map){0};
}

bool hal_map_find(const struct hal_map *map, uint64_t address, struct hal_place *p)
{
    int low = 0, high = map->n;
    while (low < high) {
        int middle = (low + high) / 2;
        low = map->part[middle].high <= address ? middle + 1 : low;
        high = map->part[middle].high <= address ? high : middle;
    }
    if (low == map->n || map->part[low].low > address)
        return false;
    snprintf(p->path, sizeof p->path, "%s", map->part[low].path);
    p->offset = map->part[low].offset + (address - map->part[low].low);
    return true;
}

/* The address that the file's own tables have for an offset in it. */
static uint64_t own_address(const struct hal_place *p)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    uint64_t address = p->offset;
    int fd = open(p->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return address;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        head.e_phnum = 0;
    for (int i = 0; i < head.e_phnum; i++) {
        off_t at = (off_t)(head.e_phoff + (uint64_t)i * sizeof part);
        if (pread(fd, &part, sizeof part, at) == (ssize_t)sizeof part && part.p_type == PT_LOAD &&
            p->offset >= part.p_offset && p->offset - part.p_offset < part.p_filesz)
            address = part.p_vaddr + (p->offset - part.p_offset);
    }
    close(fd);
    return address;
}

/* What addr2line prints about it: a line with the function, one with file and line. False: it is
 * not there, or does not know. It gets no environment but the path, for a library that the program
 * loads before all others is none of its own. */
static bool ask(const char *path, uint64_t address, char *text, size_t size)
{
    char where[32], search[PATH_MAX];
    int ends[2], status;
    const char *folders = getenv("PATH");
    snprintf(where, sizeof where, "0x%llx", (unsigned long long)address);
    snprintf(search, sizeof search, "PATH=%s", folders ? folders : "/usr/bin:/bin");
    char *const command[] = {(char *)"addr2line",     (char *)"-C", (char *)"-f", (char *)"-e",
                             (char *)(uintptr_t)path, where,        NULL};
    char *const environment[] = {search, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    pid_t child;
    bool started = posix_spawnp(&child, command[0], &files, NULL, command, environment) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got = 1; started && got > 0 && n < size - 1; n += (size_t)(got > 0 ? got : 0))
        got = read(ends[0], text + n, size - 1 - n);
    text[n] = '\0';
    close(ends[0]);
    return started && waitpid(child, &status, 0) == child && n > 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of the lines "function" and "file:12 (discriminator 3)". */
static bool read_answer(char *answer, char *text, size_t size)
{
    char *line = strchr(answer, '\n');
    if (!line)
        return false;
    *line++ = '\0';
    line[strcspn(line, " \n")] = '\0';
    const char *number = strrchr(line, ':');
    if (number && number[1] > '0' && number[1] <= '9')
        snprintf(text, size, "%s", base_name(line));
    else if (answer[0] != '?')
        snprintf(text, size, "in %s", answer);
    else
        return false;
    return true;
}

bool hal_line_name(const char *path, uint64_t address, char *text, size_t size)
{
    char answer[2048];
    return ask(path, address, answer, sizeof answer) && read_answer(answer, text, size) &&
           strncmp(text, "in ", 3) != 0;
}

void hal_place_name(const struct hal_place *p, char *text, size_t size)
{
    char answer[2048];
    uint64_t address = own_address(p);
    if (!ask(p->path, address, answer, sizeof answer) || !read_answer(answer, text, size))
        snprintf(text, size, "%s+0x%llx", base_name(p->path), (unsigned long long)address);
}

void hal_place_phrase(const struct hal_place *p, char *text, size_t size)
{
    char name[256];
    hal_place_name(p, name, sizeof name);
    snprintf(text, size, "%s%s", strncmp(name, "in ", 3) == 0 ? "" : "at ", name);
}
