#include "kernel.h"

double sum2d(size rows, size columns, double a[rows][columns]) {
  double total = 0.0;
  for (size i = 0; i < rows; i++)
    for (size j = 0; j < columns; j++)
      total += a[i][j];
  return total;
}
