#include "kernel.h"

static void sweep(size n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
  for (size i = 1; i < n - 1; i++) {
    v[0][i] = 1.0;
    p[i][0] = 0.0;
    q[i][0] = 1.0;
    for (size j = 1; j < n - 1; j++) {
      p[i][j] = 0.4 / (0.4 * p[i][j - 1] + 1.8);
      double explicit = 0.3 * u[j][i - 1] + 0.4 * u[j][i] + 0.3 * u[j][i + 1];
      q[i][j] = (explicit + 0.4 * q[i][j - 1]) / (0.4 * p[i][j - 1] + 1.8);
    }
    v[n - 1][i] = 1.0;
    for (size j = n - 2; j > 0; j--)
      v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
  }
}

void adi(size steps, size n, size columns, double u[n][columns]) {
  double(*v)[n] = calloc(n * n, sizeof(double)), (*p)[n] = calloc(n * n, sizeof(double)),
  (*q)[n] = calloc(n * n, sizeof(double));
  for (size step = 0; step < steps; step++) {
    sweep(n, u, v, p, q);
    sweep(n, v, u, p, q);
  }
  free(v);
  free(p);
  free(q);
}
