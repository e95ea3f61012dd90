#include "kernel.h"

void mvt(size n, double x1[n], size n2, double x2[n2], size m1, double y1[m1], size m2,
         double y2[m2], size rows, size columns, double a[rows][columns]) {
  for (size i = 0; i < n; i++)
    for (size j = 0; j < n; j++)
      x1[i] += a[i][j] * y1[j];
  for (size i = 0; i < n; i++)
    for (size j = 0; j < n; j++)
      x2[i] += a[j][i] * y2[j];
}
