#include "kernel.h"

double *deposit(size m, double xs[m], size my, double ys[my], int64_t n, size shape[2]) {
  double(*grid)[n] = calloc(n, sizeof *grid);
  for (size i = 0; i < m; i++) {
    double x = xs[i] * n, y = ys[i] * n;
    int64_t column = x, row = y, right = (column + 1) % n, below = (row + 1) % n;
    double fx = x - column, fy = y - row;
    grid[row][column] += (1.0 - fx) * (1.0 - fy);
    grid[row][right] += fx * (1.0 - fy);
    grid[below][column] += (1.0 - fx) * fy;
    grid[below][right] += fx * fy;
  }
  shape[0] = shape[1] = n;
  return *grid;
}
