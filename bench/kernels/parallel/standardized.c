#include "../kernel.h"

double *standardized(size n, double a[n], size *shape) {
  double total = 0.0, squares = 0.0;
#pragma omp parallel for simd reduction(+ : total)
  for (size i = 0; i < n; i++)
    total += a[i];
  double mean = total / n;
#pragma omp parallel for simd reduction(+ : squares)
  for (size i = 0; i < n; i++)
    squares += (a[i] - mean) * (a[i] - mean);
  double deviation = sqrt(squares / n);
  double *out = malloc(n * sizeof(double));
  shape[0] = n;
#pragma omp parallel for simd
  for (size i = 0; i < n; i++)
    out[i] = (a[i] - mean) / deviation + 10.0;
  return out;
}
