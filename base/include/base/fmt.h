/* SPDX-License-Identifier: MIT */
/* Formatted text without a C library. */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes at most size-1 characters and a zero byte to buf (nothing if size is 0; buf may then be
 * NULL). Returns the length of the whole text, so a result >= size means that it was cut.
 *
 * Conversions: %d %i %u %x %X with l, ll, z or nothing before the letter; %c %s %p %%. A field
 * width with optional '-' or '0', and for %s a precision, both as digits or '*'. NULL for %s
 * shows as "(null)". Any other conversion is copied as it stands. */
int b_fmt(char *buf, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int b_vfmt(char *buf, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
