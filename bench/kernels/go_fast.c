#include "kernel.h"

double *go_fast(size rows, size columns, double a[rows][columns], size shape[2]) {
  double trace = 0.0;
  for (size i = 0; i < rows; i++)
    trace += tanh(a[i][i]);
  double(*out)[columns] = malloc(rows * columns * sizeof(double));
  for (size i = 0; i < rows; i++)
    for (size j = 0; j < columns; j++)
      out[i][j] = a[i][j] + trace;
  shape[0] = rows, shape[1] = columns;
  return *out;
}
