/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>

#include <stdbool.h>
#include <stdint.h>

struct out {
    char *buf;
    size_t size, length;
};

/* One conversion specification. */
struct spec {
    bool left, zero;
    int width, precision; /* precision -1 = none */
    int longs;            /* 'l's; z counts as one */
};

static void put(struct out *o, char c)
{
    if (o->length + 1 < o->size)
        o->buf[o->length] = c;
    o->length++;
}

static void put_padding(struct out *o, char c, int n)
{
    while (n-- > 0)
        put(o, c);
}

/* Text of n characters, the first `sign` of which stand before zeros. */
static void put_field(struct out *o, const struct spec *s, const char *text, int n, int sign)
{
    int padding = s->width > n ? s->width - n : 0;
    if (!s->left && !s->zero)
        put_padding(o, ' ', padding);
    for (int i = 0; i < n; i++) {
        if (i == sign && s->zero && !s->left)
            put_padding(o, '0', padding);
        put(o, text[i]);
    }
    if (s->left)
        put_padding(o, ' ', padding);
}

static void put_number(struct out *o, const struct spec *s, uint64_t value, unsigned base,
                       const char *digits, const char *prefix)
{
    char text[24];
    int at = (int)sizeof text, sign = 0;
    do {
        text[--at] = digits[value % base];
        value /= base;
    } while (value != 0);
    while (prefix[sign] != '\0')
        sign++;
    for (int i = sign; i-- > 0;)
        text[--at] = prefix[i];
    put_field(o, s, text + at, (int)sizeof text - at, sign);
}

static void put_string(struct out *o, struct spec *s, const char *text)
{
    int n = 0;
    text = text ? text : "(null)";
    while (n != s->precision && text[n] != '\0')
        n++;
    s->zero = false;
    put_field(o, s, text, n, 0);
}

/* Digits or '*' at *format. */
static int take_number(const char **format, va_list *args)
{
    int n = 0;
    if (**format == '*') {
        (*format)++;
        return va_arg(*args, int);
    }
    for (; **format >= '0' && **format <= '9'; (*format)++)
        n = n > 100000 ? n : n * 10 + (**format - '0');
    return n;
}

static struct spec take_spec(const char **format, va_list *args)
{
    struct spec s = {.precision = -1};
    for (;; (*format)++)
        if (**format == '-')
            s.left = true;
        else if (**format == '0')
            s.zero = true;
        else
            break;
    s.width = take_number(format, args);
    if (s.width < 0) {
        s.left = true;
        s.width = s.width == INT32_MIN ? 0 : -s.width;
    }
    if (**format == '.') {
        (*format)++;
        s.precision = take_number(format, args);
    }
    for (; **format == 'l' || **format == 'z'; (*format)++)
        s.longs++;
    return s;
}

/* size_t is as wide as long on the machines of this system; long may have 32 bits. */
static uint64_t take_unsigned(const struct spec *s, va_list *args)
{
    if (s->longs > 1)
        return va_arg(*args, unsigned long long);
    return s->longs > 0 ? va_arg(*args, unsigned long) : va_arg(*args, unsigned);
}

static int64_t take_signed(const struct spec *s, va_list *args)
{
    if (s->longs > 1)
        return va_arg(*args, long long);
    return s->longs > 0 ? va_arg(*args, long) : va_arg(*args, int);
}

static void put_signed(struct out *o, const struct spec *s, va_list *args)
{
    int64_t value = take_signed(s, args);
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    put_number(o, s, magnitude, 10, "0123456789", value < 0 ? "-" : "");
}

/* Returns false for a conversion that is not known. */
static bool convert(struct out *o, char conversion, struct spec *s, va_list *args)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    switch (conversion) {
    case 'd':
    case 'i':
        put_signed(o, s, args);
        return true;
    case 'u':
        put_number(o, s, take_unsigned(s, args), 10, lower, "");
        return true;
    case 'x':
        put_number(o, s, take_unsigned(s, args), 16, lower, "");
        return true;
    case 'X':
        put_number(o, s, take_unsigned(s, args), 16, upper, "");
        return true;
    case 'p':
        put_number(o, s, (uintptr_t)va_arg(*args, void *), 16, lower, "0x");
        return true;
    case 'c': {
        char c = (char)va_arg(*args, int);
        s->zero = false;
        put_field(o, s, &c, 1, 0);
        return true;
    }
    case 's':
        put_string(o, s, va_arg(*args, const char *));
        return true;
    case '%':
        put(o, '%');
        return true;
    default:
        return false;
    }
}

static void format_all(struct out *o, const char *format, va_list *args)
{
    while (*format != '\0') {
        if (*format != '%') {
            put(o, *format++);
            continue;
        }
        const char *start = format++;
        struct spec s = take_spec(&format, args);
        if (*format != '\0' && convert(o, *format, &s, args))
            format++;
        else
            while (start < format)
                put(o, *start++);
    }
}

int b_vfmt(char *buf, size_t size, const char *format, va_list args)
{
    struct out o = {.buf = buf, .size = size};
    va_list copy; /* of a type that can be passed by address, which a parameter is not everywhere */
    va_copy(copy, args);
    format_all(&o, format, &copy);
    va_end(copy);
    if (size > 0)
        buf[o.length < size ? o.length : size - 1] = '\0';
    return (int)o.length;
}

int b_fmt(char *buf, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = b_vfmt(buf, size, format, args);
    va_end(args);
    return n;
}
