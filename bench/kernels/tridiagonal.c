#include "kernel.h"

void tridiagonal(size m, size n, double lower[m][n], size m1, size n1, double diagonal[m][n],
                 size m2, size n2, double upper[m][n], size m3, size n3, double right[m][n]) {
  for (size s = 0; s < m; s++) {
    for (size i = 1; i < n; i++) {
      double factor = lower[s][i] / diagonal[s][i - 1];
      diagonal[s][i] -= factor * upper[s][i - 1];
      right[s][i] -= factor * right[s][i - 1];
    }
    right[s][n - 1] /= diagonal[s][n - 1];
    for (size i = n - 2; i > -1; i--) {
      right[s][i] -= upper[s][i] * right[s][i + 1];
      right[s][i] /= diagonal[s][i];
    }
  }
}
