#include "../kernel.h"

double *product(size n, size m, double a[n][m], size mb, size p, double b[m][p], size *shape) {
  double(*out)[p] = calloc(n * p, sizeof(double));
  shape[0] = n;
  shape[1] = p;
#pragma omp parallel for
  for (size i = 0; i < n; i++)
    for (size k = 0; k < m; k++)
#pragma omp simd
      for (size j = 0; j < p; j++)
        out[i][j] += a[i][k] * b[k][j];
  return (double *)out;
}
