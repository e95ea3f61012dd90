#include "kernel.h"

uint8_t *sobel(size height, size width, uint8_t image[height][width], size shape[2]) {
  uint8_t(*out)[width] = calloc(height, sizeof *out);
  for (size y = 1; y < height - 1; y++)
    for (size x = 1; x < width - 1; x++) {
      int64_t gx = 0, gy = 0;
      for (int64_t d = -1; d < 2; d++) {
        int64_t weight = 2 - llabs(d);
        gx += weight * ((int64_t)image[y + d][x + 1] - image[y + d][x - 1]);
        gy += weight * ((int64_t)image[y + 1][x + d] - image[y - 1][x + d]);
      }
      int64_t sum = llabs(gx) + llabs(gy);
      out[y][x] = sum < 255 ? sum : 255;
    }
  shape[0] = height;
  shape[1] = width;
  return *out;
}
