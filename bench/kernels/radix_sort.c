#include "kernel.h"

uint32_t *radix_sort(size n, uint32_t values[n], size *shape) {
  uint32_t *source = malloc(n * sizeof(uint32_t)), *target = malloc(n * sizeof(uint32_t));
  memcpy(source, values, n * sizeof(uint32_t));
  for (int64_t shift = 0; shift < 32; shift += 8) {
    int64_t *counts = calloc(256, sizeof(int64_t)), total = 0;
    for (size i = 0; i < n; i++)
      counts[source[i] >> shift & 255]++;
    for (size i = 0; i < 256; i++) {
      int64_t count = counts[i];
      counts[i] = total;
      total += count;
    }
    for (size i = 0; i < n; i++)
      target[counts[source[i] >> shift & 255]++] = source[i];
    free(counts);
    uint32_t *other = source;
    source = target;
    target = other;
  }
  free(target);
  shape[0] = n;
  return source;
}
