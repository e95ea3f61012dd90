#include "kernel.h"

int64_t *hash_counts(size n, int64_t keys[n], int64_t mask, size *shape) {
  int64_t *table = malloc((mask + 1) * sizeof(int64_t));
  int64_t *counts = calloc(mask + 1, sizeof(int64_t));
  for (size i = 0; i <= mask; i++)
    table[i] = -1;
  for (size i = 0; i < n; i++) {
    int64_t slot = (keys[i] * 2654435761 >> 7) & mask;
    while (table[slot] != -1 && table[slot] != keys[i])
      slot = (slot + 1) & mask;
    table[slot] = keys[i];
    counts[slot]++;
  }
  free(table);
  shape[0] = mask + 1;
  return counts;
}
