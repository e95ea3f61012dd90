#include "kernel.h"

double *gesummv(double alpha, double beta, size ra, size ca, double a[ra][ca], size rb, size cb,
                double b[rb][cb], size n, double x[n], size shape[1]) {
  double *y = malloc(n * sizeof(double));
  for (size i = 0; i < n; i++) {
    double first = 0.0, second = 0.0;
    for (size j = 0; j < n; j++) {
      first += a[i][j] * x[j];
      second += b[i][j] * x[j];
    }
    y[i] = alpha * first + beta * second;
  }
  shape[0] = n;
  return y;
}
