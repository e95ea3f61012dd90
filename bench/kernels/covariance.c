#include "kernel.h"

double *covariance(size n, size m, double data[n][m], size shape[2]) {
  double *mean = calloc(m, sizeof(double));
  double(*result)[m] = calloc(m * m, sizeof(double));
  for (size i = 0; i < n; i++)
    for (size j = 0; j < m; j++)
      mean[j] += data[i][j];
  for (size j = 0; j < m; j++)
    mean[j] /= n;
  for (size i = 0; i < m; i++)
    for (size j = i; j < m; j++) {
      double total = 0.0;
      for (size k = 0; k < n; k++)
        total += (data[k][i] - mean[i]) * (data[k][j] - mean[j]);
      result[i][j] = total / (n - 1.0);
      result[j][i] = result[i][j];
    }
  free(mean);
  shape[0] = shape[1] = m;
  return *result;
}
