/* SPDX-License-Identifier: MIT */
/* The C library's mathematics: the functions are there once for all ranks of a cluster, and what
 * they write to is each rank's own. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>

static int failures;

static void near(const char *what, double value, double right)
{
    if (fabs(value - right) > 1e-12 * fabs(right)) {
        printf("%s: %.17g instead of %.17g\n", what, value, right);
        failures++;
    }
}

static void functions(double x)
{
    int e;
    near("pow", pow(x, 3), x * x * x);
    near("exp, log", log(exp(x)), x);
    near("exp2, log2", log2(exp2(x)), x);
    near("expm1, log1p", log1p(expm1(x)), x);
    near("log10", pow(10, log10(x)), x);
    near("sin, cos", sin(x) * sin(x) + cos(x) * cos(x), 1);
    near("tan, atan2", tan(atan2(x, 1)), x);
    near("sinh, cosh", cosh(x) * cosh(x) - sinh(x) * sinh(x), 1);
    near("asinh", sinh(asinh(x)), x);
    near("tanh, atanh", atanh(tanh(x / 4)), x / 4);
    near("asin, acos", asin(x / 8) + acos(x / 8), acos(0));
    near("cbrt, hypot", hypot(cbrt(x), 0), pow(x, 1.0 / 3));
    near("frexp, ldexp", ldexp(frexp(x, &e), e), x);
    near("fmod, remainder", fmod(x, 1) + floor(x), x);
    near("erf", erf(x) + erfc(x), 1);
    near("tgamma", tgamma(x + 1), x * tgamma(x));
    near("float", (double)powf((float)x, 2), (double)((float)x * (float)x));
    near("long double", (double)ldexpl((long double)x, 3), 8 * x);
    near("complex", cabs(csqrt(x + 2 * I)), sqrt(hypot(x, 2)));
    near("rint, scalbn, nextafter", scalbn(rint(x), 2), 4 * rint(nextafter(x, 0)));
}

/* Each rank has a sign of its own, also after the others have had theirs. */
static void own(int rank)
{
    double at = rank % 2 == 0 ? -0.5 : 0.5; /* gamma is negative there, or is not */
    near("lgamma", exp(lgamma(at)), fabs(tgamma(at)));
    MPI_Barrier(MPI_COMM_WORLD);
    if (signgam != (rank % 2 == 0 ? -1 : 1)) {
        printf("rank %d: sign %d\n", rank, signgam);
        failures++;
    }
}

/* What the compiler calls functions of this system for (hal/cpu/riscv/zeros.c). */
static void zeros(void)
{
    for (int bit = 0; bit < 64; bit++) {
        volatile unsigned long long below = ~0ULL >> (63 - bit), above = ~0ULL << bit;
        near("zeros above", __builtin_clzll(below), 63 - bit);
        near("zeros above one", __builtin_clzll(below & above), 63 - bit);
        near("zeros below", __builtin_ctzll(above), bit);
        near("zeros below one", __builtin_ctzll(below & above), bit);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    functions(1.25 + rank);
    own(rank);
    zeros();
    MPI_Finalize();
    return failures > 0;
}
