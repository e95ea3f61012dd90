#include "kernel.h"

void bicg(size rows, size columns, double a[rows][columns], size np, double p[np], size nr,
          double r[nr], size nq, double q[nq], size ns, double s[ns]) {
  for (size j = 0; j < columns; j++)
    s[j] = 0.0;
  for (size i = 0; i < rows; i++) {
    q[i] = 0.0;
    for (size j = 0; j < columns; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
  }
}
