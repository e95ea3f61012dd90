#include "kernel.h"

void mandelbrot(size height, size width, int64_t out[height][width], double x0, double x1,
                double y0, double y1) {
  for (size row = 0; row < height; row++) {
    double ci = y0 + (y1 - y0) * row / height;
    for (size column = 0; column < width; column++) {
      double cr = x0 + (x1 - x0) * column / width, zr = 0.0, zi = 0.0;
      int64_t steps = 0;
      while (steps < 50 && zr * zr + zi * zi <= 4.0) {
        double next = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = next;
        steps++;
      }
      out[row][column] = steps;
    }
  }
}
