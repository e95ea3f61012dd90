#include "kernel.h"

void gramschmidt(size rows, size columns, double a[rows][columns], size rr, size cr,
                 double r[rr][cr], size rq, size cq, double q[rq][cq]) {
  for (size k = 0; k < columns; k++) {
    double norm = 0.0;
    for (size i = 0; i < rows; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = sqrt(norm);
    for (size i = 0; i < rows; i++)
      q[i][k] = a[i][k] / r[k][k];
    for (size j = k + 1; j < columns; j++) {
      r[k][j] = 0.0;
      for (size i = 0; i < rows; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (size i = 0; i < rows; i++)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}
