#include "kernel.h"

double *deriche(size rows, size columns, double image[rows][columns], size shape[2]) {
  double(*forth)[columns] = malloc(rows * columns * sizeof(double));
  double(*out)[columns] = malloc(rows * columns * sizeof(double));
  for (size i = 0; i < rows; i++) {
    double before = 0.0, second = 0.0, pixel = 0.0, last = 0.0;
    for (size j = 0; j < columns; j++) {
      forth[i][j] = 0.18 * image[i][j] - 0.14 * pixel + 1.2 * before - 0.37 * second;
      pixel = image[i][j];
      second = before;
      before = forth[i][j];
    }
    before = second = pixel = 0.0;
    for (size j = columns - 1; j >= 0; j--) {
      double back = 0.22 * pixel - 0.12 * last + 1.2 * before - 0.37 * second;
      last = pixel;
      pixel = image[i][j];
      second = before;
      before = back;
      out[i][j] = forth[i][j] + back;
    }
  }
  free(forth);
  shape[0] = rows, shape[1] = columns;
  return *out;
}
