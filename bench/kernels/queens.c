#include "kernel.h"

static int64_t place(int64_t columns, int64_t left, int64_t right, int64_t full) {
  if (columns == full)
    return 1;
  int64_t count = 0, free = full & ~(columns | left | right);
  while (free) {
    int64_t bit = free & -free;
    free ^= bit;
    count += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, full);
  }
  return count;
}

int64_t queens(int64_t n) { return place(0, 0, 0, ((int64_t)1 << n) - 1); }
