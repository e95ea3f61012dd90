#include "kernel.h"

double *atax(size rows, size columns, double a[rows][columns], size nx, double x[nx],
             size shape[1]) {
  double *y = calloc(columns, sizeof(double));
  for (size i = 0; i < rows; i++) {
    double total = 0.0;
    for (size j = 0; j < columns; j++)
      total += a[i][j] * x[j];
    for (size j = 0; j < columns; j++)
      y[j] += a[i][j] * total;
  }
  shape[0] = columns;
  return y;
}
