#include "kernel.h"

static int64_t find(int64_t *parents, int64_t node) {
  while (parents[node] != node) {
    parents[node] = parents[parents[node]];
    node = parents[node];
  }
  return node;
}

int64_t components(int64_t n, size m, size two, int64_t edges[m][two]) {
  int64_t *parents = malloc(n * sizeof(int64_t));
  for (size i = 0; i < n; i++)
    parents[i] = i;
  int64_t count = n;
  for (size i = 0; i < m; i++) {
    int64_t a = find(parents, edges[i][0]), b = find(parents, edges[i][1]);
    if (a != b) {
      parents[a > b ? a : b] = a < b ? a : b;
      count--;
    }
  }
  free(parents);
  return count;
}
