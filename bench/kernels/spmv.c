#include "kernel.h"

double *spmv(size n, int64_t starts[n], size nc, int64_t columns[nc], size nv, double values[nv],
             size nx, double x[nx], size shape[1]) {
  double *y = malloc((n - 1) * sizeof(double));
  for (size i = 0; i < n - 1; i++) {
    double total = 0.0;
    for (size k = starts[i]; k < starts[i + 1]; k++)
      total += values[k] * x[columns[k]];
    y[i] = total;
  }
  shape[0] = n - 1;
  return y;
}
