#include "kernel.h"

void syrk(double alpha, double beta, size rc, size cc, double c[rc][cc], size n, size inner,
          double a[n][inner]) {
  for (size i = 0; i < n; i++) {
    for (size j = 0; j < i + 1; j++)
      c[i][j] *= beta;
    for (size k = 0; k < inner; k++)
      for (size j = 0; j < i + 1; j++)
        c[i][j] += alpha * a[i][k] * a[j][k];
  }
}
