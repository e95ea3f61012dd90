#include "kernel.h"

double *softmax(size rows, size columns, double x[rows][columns], size shape[2]) {
  double(*out)[columns] = malloc(rows * columns * sizeof(double));
  for (size i = 0; i < rows; i++) {
    double largest = x[i][0], total = 0.0;
    for (size j = 0; j < columns; j++)
      largest = x[i][j] > largest ? x[i][j] : largest;
    for (size j = 0; j < columns; j++)
      out[i][j] = exp(x[i][j] - largest);
    for (size j = 0; j < columns; j++)
      total += out[i][j];
    for (size j = 0; j < columns; j++)
      out[i][j] /= total;
  }
  shape[0] = rows, shape[1] = columns;
  return *out;
}
