// SPDX-License-Identifier: MIT
// Templates, exceptions, virtual functions, thread-local variables: what C++ makes of blocks.
#include <algorithm>
#include <cstdio>
#include <map>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    double area() const override { return side * side; }
};
struct circle : shape {
    double radius;
    explicit circle(double r) : radius(r) {}
    double area() const override { return 3 * radius * radius; }
};

static thread_local long thrown;

static int risky(int i)
{
    if (i % 7 == 0)
        throw std::runtime_error("seven " + std::to_string(i));
    return i;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<int> v;
    for (int i = 0; i < 5000; i++) {
        try {
            v.push_back(risky(i * 7919 % 5003));
        } catch (const std::runtime_error &e) {
            thrown += static_cast<long>(std::string(e.what()).size());
        }
    }
    std::sort(v.begin(), v.end(), [](int a, int b) {
        return a % 100 < b % 100 || (a % 100 == b % 100 && a < b);
    });
    std::map<int, double> areas;
    for (int i : v) {
        const square s(i);
        const circle c(i);
        const shape *which = i % 2 ? static_cast<const shape *>(&s) : &c;
        switch (i % 6) {
        case 0: areas[i % 13] += which->area(); break;
        case 1: areas[i % 17] -= which->area(); break;
        case 2: areas[i % 19] *= 1.5; break;
        case 3: areas[0] += 1; break;
        case 4: areas[1] /= 2; break;
        default: areas.erase(2);
        }
    }
    double sum = 0;
    for (const auto &a : areas)
        sum += a.second;
    std::printf("%zu %ld %d %.6e\n", v.size(), thrown, v[v.size() / 2], sum);
    MPI_Finalize();
    return 0;
}
