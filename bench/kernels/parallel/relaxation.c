#include "../kernel.h"

static void step(size n, size m, double from[n][m], double to[n][m]) {
#pragma omp parallel for
  for (size i = 1; i < n - 1; i++)
#pragma omp simd
    for (size j = 1; j < m - 1; j++)
      to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

void relaxation(size n, size m, double a[n][m], size nb, size mb, double b[n][m], size times) {
  for (size time = 0; time < times; time++) {
    step(n, m, a, b);
    step(n, m, b, a);
  }
}
