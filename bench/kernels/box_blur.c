#include "kernel.h"

double *box_blur(size height, size width, double image[height][width], int64_t radius,
                 size shape[2]) {
  double(*out)[width] = malloc(height * sizeof *out);
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++) {
      double total = 0.0;
      int64_t count = 0;
      for (int64_t dy = -radius; dy < radius + 1; dy++)
        for (int64_t dx = -radius; dx < radius + 1; dx++)
          if (0 <= y + dy && y + dy < height && 0 <= x + dx && x + dx < width) {
            total += image[y + dy][x + dx];
            count++;
          }
      out[y][x] = total / count;
    }
  shape[0] = height;
  shape[1] = width;
  return *out;
}
