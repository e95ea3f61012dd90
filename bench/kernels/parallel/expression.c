#include "../kernel.h"

double *expression(size n, double a[n], size nb, double b[n], size nc, double c[n], size *shape) {
  double *out = malloc(n * sizeof(double));
  shape[0] = n;
#pragma omp parallel for simd
  for (size i = 0; i < n; i++)
    out[i] = a[i] * b[i] + c[i] * 2.0 - a[i] / (b[i] + 1.5);
  return out;
}
