#include "kernel.h"

int64_t increasing(size n, int64_t values[n]) {
  int64_t *tails = malloc(n * sizeof(int64_t)), length = 0;
  for (size i = 0; i < n; i++) {
    int64_t low = 0, high = length;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (tails[middle] < values[i])
        low = middle + 1;
      else
        high = middle;
    }
    tails[low] = values[i];
    length += low == length;
  }
  free(tails);
  return length;
}
