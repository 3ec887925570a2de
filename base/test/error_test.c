/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <base/error.h>
#include <test/check.h>

int main(void)
{
    static const int codes[] = {
#define B_ERROR(name, number, message) number,
#include <base/error.def>
#undef B_ERROR
    };
    int n = (int)(sizeof codes / sizeof codes[0]);
    for (int i = 0; i < n; i++) {
        CHECK(codes[i] > 0 && codes[i] < 256);
        CHECK(b_error_name(codes[i])[0] == 'E' && strcmp(b_error_name(codes[i]), "E?") != 0);
        CHECK(b_error_message(-codes[i])[0] != '\0');
        for (int j = 0; j < i; j++) {
            CHECK(codes[i] != codes[j]);
            CHECK(strcmp(b_error_name(codes[i]), b_error_name(codes[j])) != 0);
            CHECK(strcmp(b_error_message(codes[i]), b_error_message(codes[j])) != 0);
        }
    }
    CHECK_EQ(B_EINVAL, 22);
    CHECK(strcmp(b_error_name(-B_ENOMEM), "ENOMEM") == 0);
    CHECK(strcmp(b_error_name(0), "OK") == 0 && strcmp(b_error_message(0), "success") == 0);
    CHECK(strcmp(b_error_name(255), "E?") == 0);
    CHECK(strcmp(b_error_message(-255), "unknown error") == 0);
    return 0;
}
