#include "kernel.h"

int64_t *histogram(size n, double values[n], double low, double high, int64_t bins, size *shape) {
  int64_t *counts = calloc(bins, sizeof(int64_t));
  double scale = bins / (high - low);
  for (size i = 0; i < n; i++)
    if (low <= values[i] && values[i] < high)
      counts[(int64_t)((values[i] - low) * scale)]++;
  shape[0] = bins;
  return counts;
}
