#include "kernel.h"

double *matmul_ikj(size rows, size inner, double a[rows][inner], size rb, size columns,
                   double b[rb][columns], size shape[2]) {
  double(*out)[columns] = calloc(rows * columns, sizeof(double));
  for (size i = 0; i < rows; i++)
    for (size k = 0; k < inner; k++)
      for (size j = 0; j < columns; j++)
        out[i][j] += a[i][k] * b[k][j];
  shape[0] = rows, shape[1] = columns;
  return *out;
}
