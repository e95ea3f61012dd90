#include "kernel.h"

static int64_t clamp(int64_t i, int64_t n) {
  i = i > 0 ? i : 0;
  return i < n - 1 ? i : n - 1;
}

double *bilateral(size height, size width, double image[height][width], int64_t radius,
                  double scale, size shape[2]) {
  double(*out)[width] = malloc(height * sizeof *out);
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++) {
      double total = 0.0, weights = 0.0;
      for (int64_t dy = -radius; dy < radius + 1; dy++)
        for (int64_t dx = -radius; dx < radius + 1; dx++) {
          double value = image[clamp(y + dy, height)][clamp(x + dx, width)];
          double difference = (value - image[y][x]) * scale;
          double weight = 1.0 / (1.0 + difference * difference);
          total += weight * value;
          weights += weight;
        }
      out[y][x] = total / weights;
    }
  shape[0] = height;
  shape[1] = width;
  return *out;
}
