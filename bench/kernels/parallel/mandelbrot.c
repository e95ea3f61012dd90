#include "../kernel.h"

int64_t *mandelbrot(size height, size width, size *shape) {
  int64_t *out = malloc(height * width * sizeof(int64_t));
  shape[0] = height;
  shape[1] = width;
#pragma omp parallel for schedule(dynamic)
  for (size i = 0; i < height; i++) {
    double y = 2.0 * i / height - 1.0;
    for (size j = 0; j < width; j++) {
      double x = 3.0 * j / width - 2.0, a = 0.0, b = 0.0;
      int64_t count = 0;
      while (a * a + b * b < 4.0 && count < 60) {
        double next = a * a - b * b + x;
        b = 2.0 * a * b + y;
        a = next;
        count++;
      }
      out[i * width + j] = count;
    }
  }
  return out;
}
