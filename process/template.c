/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hal/power.h>

#include "instance.h"
#include "template.h"

static bool within(uint64_t at, uint64_t array, uint64_t count)
{
    return array != 0 && at - array < count * sizeof(uintptr_t);
}

/* Instances call the functions in these arrays without looking at their own copies. */
static bool is_function(const struct image_object *o, uint64_t at)
{
    return within(at, o->init_array, o->init_count) || within(at, o->fini_array, o->fini_count);
}

/* The file's part of a segment, as far as its last page goes. */
static bool fill(const struct image_object *o, const ElfW(Phdr) * s, uint8_t *memory)
{
    uint8_t *to = memory + (s->p_vaddr - o->low);
    for (uint64_t done = 0; done < s->p_filesz;) {
        ssize_t n = pread(o->fd, to + done, s->p_filesz - done, (off_t)(s->p_offset + done));
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static void bind(struct image_object *o, uint8_t *memory)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->words; i++) {
        const struct image_word w = o->word[i];
        memcpy(memory + (w.at - o->low), &w.value, sizeof w.value);
        if ((image_leads_in(o, w.value) && !is_function(o, w.at)) || image_is_getopt(w.name))
            o->word[kept++] = w;
    }
    o->words = kept;
}

/* Beyond the limit of the process the system would end it with a signal. */
int image_memory_file(const char *name, uint64_t size)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    sigaction(SIGXFSZ, &ignore, &before);
    int failed = ftruncate(fd, (off_t)size) == 0 ? 0 : errno;
    sigaction(SIGXFSZ, &before, NULL);
    if (failed == 0)
        return fd;
    close(fd);
    errno = failed;
    return -1;
}

int image_template_new(struct image_object *o)
{
    int fd = image_memory_file("lwmpi-program", o->span);
    if (fd < 0 && errno == EFBIG)
        hal_abort(
            126,
            "lwmpi: the variables of ranks that share a process begin as a file in memory, and "
            "files may not be that large here: lift the limit (ulimit -f unlimited)");
    if (fd < 0)
        return -1;
    uint8_t *memory = mmap(NULL, o->span, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    bool good = memory != MAP_FAILED;
    for (int i = 0; good && i < o->segments; i++) {
        const ElfW(Phdr) *s = &o->segment[i];
        if (s->p_type == PT_LOAD && s->p_flags & PF_W)
            good = fill(o, s, memory);
    }
    if (good)
        bind(o, memory);
    if (memory != MAP_FAILED)
        munmap(memory, o->span);
    if (good)
        return fd;
    close(fd);
    return -1;
}
