/* SPDX-License-Identifier: MIT */
/* b_assert(condition): what the caller's duty or the own state guarantees; never input from
 * outside, which is answered with an error. The condition has no side effects: where NDEBUG is
 * defined it is checked by the compiler and not evaluated. */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

/* Reports the failure on the console and ends the machine. Implemented by the hal. */
_Noreturn void b_assert_failed(const char *condition, const char *file, int line);

/* NDEBUG is pasted to a name: undefined it stays the word itself, else it is 1 or nothing. */
#define B_ASSERT_NDEBUG(condition)                                                                 \
    ((condition) ? (void)0 : b_assert_failed(#condition, __FILE__, __LINE__))
#define B_ASSERT_1(condition)  ((void)sizeof(!(condition)))
#define B_ASSERT_(condition)   ((void)sizeof(!(condition)))
#define B_ASSERT_JOIN(setting) B_ASSERT_##setting
#define B_ASSERT_PICK(setting) B_ASSERT_JOIN(setting)
#define b_assert(condition)    B_ASSERT_PICK(NDEBUG)(condition)

#endif
