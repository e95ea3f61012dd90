#include "kernel.h"

uint8_t *grayscale(size height, size width, size channels, uint8_t image[height][width][channels],
                   size shape[2]) {
  uint8_t(*out)[width] = malloc(height * sizeof *out);
  for (size y = 0; y < height; y++)
    for (size x = 0; x < width; x++) {
      int64_t red = image[y][x][0], green = image[y][x][1], blue = image[y][x][2];
      out[y][x] = (red * 77 + green * 150 + blue * 29) >> 8;
    }
  shape[0] = height;
  shape[1] = width;
  return *out;
}
