#include "kernel.h"

static int64_t modulo(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

int8_t *life(size height, size width, int8_t start[height][width], int64_t steps, size shape[2]) {
  int8_t(*cells)[width] = malloc(height * sizeof *cells);
  memcpy(cells, start, height * sizeof *cells);
  for (int64_t step = 0; step < steps; step++) {
    int8_t(*following)[width] = malloc(height * sizeof *following);
    for (int64_t y = 0; y < height; y++)
      for (int64_t x = 0; x < width; x++) {
        int64_t alive = 0;
        for (int64_t dy = -1; dy < 2; dy++)
          for (int64_t dx = -1; dx < 2; dx++)
            if (dy != 0 || dx != 0)
              alive += cells[modulo(y + dy, height)][modulo(x + dx, width)];
        following[y][x] = alive == 3 || (alive == 2 && cells[y][x] == 1);
      }
    free(cells);
    cells = following;
  }
  shape[0] = height;
  shape[1] = width;
  return *cells;
}
