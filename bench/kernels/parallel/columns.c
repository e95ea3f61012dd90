#include "../kernel.h"

double *columns(size n, size m, double a[n][m], size *shape) {
  double *means = calloc(m, sizeof(double));
#pragma omp parallel for reduction(+ : means[ : m])
  for (size i = 0; i < n; i++)
#pragma omp simd
    for (size j = 0; j < m; j++)
      means[j] += a[i][j];
  for (size j = 0; j < m; j++)
    means[j] /= n;
  double *out = malloc(n * sizeof(double));
  shape[0] = n;
#pragma omp parallel for
  for (size i = 0; i < n; i++) {
    double total = 0.0;
#pragma omp simd reduction(+ : total)
    for (size j = 0; j < m; j++)
      total += a[i][j] - means[j];
    out[i] = total;
  }
  free(means);
  return out;
}
