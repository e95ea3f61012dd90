#include "../kernel.h"

double *outer(size n, double column[n], size nr, double row[nr], size na, size m,
              double a[n][m], size *shape) {
  double(*out)[m] = malloc(n * m * sizeof(double));
  shape[0] = n;
  shape[1] = m;
#pragma omp parallel for
  for (size i = 0; i < n; i++)
#pragma omp simd
    for (size j = 0; j < m; j++)
      out[i][j] = column[i] * row[j] + a[i][j];
  return (double *)out;
}
