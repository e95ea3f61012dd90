#include "kernel.h"

void jacobi2d(size steps, size n, size columns, double a[n][columns], size rb, size cb,
              double b[rb][cb]) {
  for (size step = 0; step < steps; step++) {
    for (size i = 1; i < n - 1; i++)
      for (size j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (size i = 1; i < n - 1; i++)
      for (size j = 1; j < n - 1; j++)
        a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
  }
}
