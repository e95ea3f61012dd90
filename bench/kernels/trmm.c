#include "kernel.h"

void trmm(double alpha, size ra, size ca, double a[ra][ca], size rows, size columns,
          double b[rows][columns]) {
  for (size i = 0; i < rows; i++)
    for (size j = 0; j < columns; j++) {
      for (size k = i + 1; k < rows; k++)
        b[i][j] += a[k][i] * b[k][j];
      b[i][j] = alpha * b[i][j];
    }
}
