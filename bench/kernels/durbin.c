#include "kernel.h"

double *durbin(size n, double r[n], size shape[1]) {
  double *y = malloc(n * sizeof(double)), *z = malloc(n * sizeof(double));
  y[0] = -r[0];
  double beta = 1.0, alpha = -r[0];
  for (size k = 1; k < n; k++) {
    beta = (1.0 - alpha * alpha) * beta;
    double total = 0.0;
    for (size i = 0; i < k; i++)
      total += r[k - i - 1] * y[i];
    alpha = -(r[k] + total) / beta;
    for (size i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (size i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
  free(z);
  shape[0] = n;
  return y;
}
