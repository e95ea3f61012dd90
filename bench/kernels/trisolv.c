#include "kernel.h"

double *trisolv(size rows, size columns, double lower[rows][columns], size n, double b[n],
                size shape[1]) {
  double *x = malloc(n * sizeof(double));
  for (size i = 0; i < n; i++) {
    x[i] = b[i];
    for (size j = 0; j < i; j++)
      x[i] -= lower[i][j] * x[j];
    x[i] /= lower[i][i];
  }
  shape[0] = n;
  return x;
}
