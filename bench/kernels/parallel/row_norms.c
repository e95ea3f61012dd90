#include "../kernel.h"

double *row_norms(size n, size m, double matrix[n][m], size *shape) {
  double *out = malloc(n * sizeof(double));
#pragma omp parallel for
  for (size i = 0; i < n; i++) {
    double total = 0.0;
    for (size j = 0; j < m; j++)
      total += matrix[i][j] * matrix[i][j];
    out[i] = sqrt(total);
  }
  shape[0] = n;
  return out;
}
