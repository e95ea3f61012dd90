#include "kernel.h"

void jacobi1d(size steps, size n, double a[n], size nb, double b[nb]) {
  for (size step = 0; step < steps; step++) {
    for (size i = 1; i < n - 1; i++)
      b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (size i = 1; i < n - 1; i++)
      a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}
