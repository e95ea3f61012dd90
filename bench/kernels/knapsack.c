#include "kernel.h"

int64_t knapsack(size n, int64_t weights[n], size m, int64_t values[m], int64_t capacity) {
  int64_t *best = calloc(capacity + 1, sizeof(int64_t));
  for (size item = 0; item < n; item++) {
    int64_t weight = weights[item], value = values[item];
    for (int64_t room = capacity; room > weight - 1; room--) {
      int64_t taken = best[room - weight] + value;
      if (taken > best[room])
        best[room] = taken;
    }
  }
  int64_t result = best[capacity];
  free(best);
  return result;
}
