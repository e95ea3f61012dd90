#include "kernel.h"

int32_t *flood_fill(size height, size width, uint8_t image[height][width], size shape[2]) {
  int32_t(*labels)[width] = calloc(height, sizeof *labels);
  int64_t(*stack)[2] = malloc(height * width * sizeof *stack);
  int32_t count = 0;
  for (int64_t sy = 0; sy < height; sy++)
    for (int64_t sx = 0; sx < width; sx++) {
      if (labels[sy][sx] != 0)
        continue;
      uint8_t colour = image[sy][sx];
      labels[sy][sx] = ++count;
      stack[0][0] = sy;
      stack[0][1] = sx;
      int64_t depth = 1;
      while (depth > 0) {
        depth--;
        int64_t y = stack[depth][0], x = stack[depth][1];
        for (int64_t direction = 0; direction < 4; direction++) {
          int64_t ny = y + (direction == 0) - (direction == 1);
          int64_t nx = x + (direction == 2) - (direction == 3);
          if (ny < 0 || ny >= height || nx < 0 || nx >= width)
            continue;
          if (labels[ny][nx] == 0 && image[ny][nx] == colour) {
            labels[ny][nx] = count;
            stack[depth][0] = ny;
            stack[depth][1] = nx;
            depth++;
          }
        }
      }
    }
  free(stack);
  shape[0] = height;
  shape[1] = width;
  return *labels;
}
