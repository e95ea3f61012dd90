#include "kernel.h"

int64_t levenshtein(size m, uint8_t a[m], size n, uint8_t b[n]) {
  int64_t *previous = malloc((n + 1) * sizeof(int64_t));
  int64_t *current = calloc(n + 1, sizeof(int64_t));
  for (size j = 0; j <= n; j++)
    previous[j] = j;
  for (size i = 0; i < m; i++) {
    current[0] = i + 1;
    for (size j = 0; j < n; j++) {
      int64_t least = previous[j] + (a[i] != b[j]);
      least = previous[j + 1] + 1 < least ? previous[j + 1] + 1 : least;
      current[j + 1] = current[j] + 1 < least ? current[j] + 1 : least;
    }
    int64_t *swapped = previous;
    previous = current;
    current = swapped;
  }
  int64_t distance = previous[n];
  free(previous);
  free(current);
  return distance;
}
