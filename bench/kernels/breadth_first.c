#include "kernel.h"

int32_t *breadth_first(size m, int32_t starts[m], size e, int32_t targets[e], size *shape) {
  size n = m - 1;
  int32_t *distances = malloc(n * sizeof(int32_t)), *queue = malloc(n * sizeof(int32_t));
  for (size i = 0; i < n; i++)
    distances[i] = -1;
  distances[0] = queue[0] = 0;
  int64_t head = 0, tail = 1;
  while (head < tail) {
    int32_t node = queue[head++];
    for (int64_t edge = starts[node]; edge < starts[node + 1]; edge++) {
      int32_t target = targets[edge];
      if (distances[target] < 0) {
        distances[target] = distances[node] + 1;
        queue[tail++] = target;
      }
    }
  }
  free(queue);
  shape[0] = n;
  return distances;
}
