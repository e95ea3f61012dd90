#include "kernel.h"

void gemm(double alpha, double beta, size rows, size columns, double c[rows][columns], size ra,
          size inner, double a[ra][inner], size rb, size cb, double b[rb][cb]) {
  for (size i = 0; i < rows; i++) {
    for (size j = 0; j < columns; j++)
      c[i][j] *= beta;
    for (size k = 0; k < inner; k++)
      for (size j = 0; j < columns; j++)
        c[i][j] += alpha * a[i][k] * b[k][j];
  }
}
