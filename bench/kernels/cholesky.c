#include "kernel.h"

void cholesky(size n, size columns, double a[n][columns]) {
  for (size i = 0; i < n; i++) {
    for (size j = 0; j < i; j++) {
      for (size k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (size k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = sqrt(a[i][i]);
  }
}
