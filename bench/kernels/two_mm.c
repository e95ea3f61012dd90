#include "kernel.h"

void two_mm(double alpha, double beta, size ni, size nk, double a[ni][nk], size rb, size nj,
            double b[rb][nj], size rc, size nl, double c[rc][nl], size rd, size cd,
            double d[rd][cd]) {
  double(*product)[nj] = malloc(ni * nj * sizeof(double));
  for (size i = 0; i < ni; i++)
    for (size j = 0; j < nj; j++) {
      product[i][j] = 0.0;
      for (size k = 0; k < nk; k++)
        product[i][j] += alpha * a[i][k] * b[k][j];
    }
  for (size i = 0; i < ni; i++)
    for (size j = 0; j < nl; j++) {
      d[i][j] *= beta;
      for (size k = 0; k < nj; k++)
        d[i][j] += product[i][k] * c[k][j];
    }
  free(product);
}
