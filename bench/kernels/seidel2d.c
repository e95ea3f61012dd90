#include "kernel.h"

void seidel2d(size steps, size n, size columns, double a[n][columns]) {
  for (size step = 0; step < steps; step++)
    for (size i = 1; i < n - 1; i++)
      for (size j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                   a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                  9.0;
}
