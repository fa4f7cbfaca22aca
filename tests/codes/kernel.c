/* The work of a block of a wavefront code with a fix-up: where a cell's flux would be negative, which depends on the data, it
   is set to zero. kernel I J sweeps I x J cells. */
#include <stdio.h>
#include <stdlib.h>

static double cells[1000 * 1000];

__attribute__((noinline)) void sweep(int ni, int nj, double* west, double* north) {
    for (int j = 0; j < nj; ++j) {
        double inflow = west[j];
        for (int i = 0; i < ni; ++i) {
            double flux = cells[j * ni + i] + 0.3 * inflow + 0.2 * north[i];
            if (flux < 0.0) {
                north[i] = 0.5 * north[i] / (1.0 - flux);
                flux = 0.0;
            }
            inflow = 2.0 * flux - inflow;
            north[i] = 2.0 * flux - north[i];
        }
        west[j] = inflow;
    }
}

int main(int count, char** arguments) {
    static double west[1000], north[1000];
    if (count < 3) return 2;
    const int ni = atoi(arguments[1]), nj = atoi(arguments[2]);
    unsigned random = 12345;
    for (int l = 0; l < ni * nj; ++l) {
        random = random * 1664525u + 1013904223u;
        cells[l] = random / 4294967296.0 - 0.2;
    }
    sweep(ni, nj, west, north);
    printf("%g\n", west[nj - 1]);
    return 0;
}
