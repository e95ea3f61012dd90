#include "../kernel.h"

double *regression(size n, double labels[n], size np, size m, double points[n][m], size nw,
                   double weights[m], size iterations, size *shape) {
  double *out = malloc(m * sizeof(double));
  memcpy(out, weights, m * sizeof(double));
  shape[0] = m;
  for (size iteration = 0; iteration < iterations; iteration++) {
    double *step = calloc(m, sizeof(double));
#pragma omp parallel for reduction(+ : step[ : m])
    for (size i = 0; i < n; i++) {
      double product = 0.0;
      for (size j = 0; j < m; j++)
        product += points[i][j] * out[j];
      double factor = (1.0 / (1.0 + exp(-labels[i] * product)) - 1.0) * labels[i];
      for (size j = 0; j < m; j++)
        step[j] += factor * points[i][j];
    }
    for (size j = 0; j < m; j++)
      out[j] -= 0.0001 * step[j];
    free(step);
  }
  return out;
}
