#include "kernel.h"

double *correlation(size n, size m, double data[n][m], size shape[2]) {
  double *mean = calloc(m, sizeof(double)), *deviation = calloc(m, sizeof(double));
  double(*result)[m] = malloc(m * m * sizeof(double));
  for (size i = 0; i < n; i++)
    for (size j = 0; j < m; j++)
      mean[j] += data[i][j];
  for (size j = 0; j < m; j++)
    mean[j] /= n;
  for (size i = 0; i < n; i++)
    for (size j = 0; j < m; j++)
      deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
  for (size j = 0; j < m; j++) {
    deviation[j] = sqrt(deviation[j] / n);
    if (deviation[j] <= 0.1)
      deviation[j] = 1.0;
  }
  for (size i = 0; i < n; i++)
    for (size j = 0; j < m; j++)
      data[i][j] = (data[i][j] - mean[j]) / (sqrt(n) * deviation[j]);
  for (size i = 0; i < m; i++) {
    result[i][i] = 1.0;
    for (size j = i + 1; j < m; j++) {
      double total = 0.0;
      for (size k = 0; k < n; k++)
        total += data[k][i] * data[k][j];
      result[i][j] = total;
      result[j][i] = total;
    }
  }
  free(mean);
  free(deviation);
  shape[0] = shape[1] = m;
  return *result;
}
