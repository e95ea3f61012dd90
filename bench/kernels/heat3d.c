#include "kernel.h"

static void heat(size n, double a[n][n][n], double b[n][n][n]) {
  for (size i = 1; i < n - 1; i++)
    for (size j = 1; j < n - 1; j++)
      for (size k = 1; k < n - 1; k++)
        b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k]) +
                     0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k]) +
                     0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
}

void heat3d(size steps, size n, size n2, size n3, double a[n][n][n], size m1, size m2, size m3,
            double b[n][n][n]) {
  for (size step = 0; step < steps; step++) {
    heat(n, a, b);
    heat(n, b, a);
  }
}
