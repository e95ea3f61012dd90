#include "kernel.h"

static void push(double *keys, int64_t *nodes, int64_t count, double key, int64_t node) {
  int64_t child = count;
  while (child > 0) {
    int64_t parent = (child - 1) / 2;
    if (keys[parent] <= key)
      break;
    keys[child] = keys[parent];
    nodes[child] = nodes[parent];
    child = parent;
  }
  keys[child] = key;
  nodes[child] = node;
}

static void sift(double *keys, int64_t *nodes, int64_t count, double key, int64_t node) {
  int64_t parent = 0;
  while (2 * parent + 1 < count) {
    int64_t child = 2 * parent + 1;
    if (child + 1 < count && keys[child + 1] < keys[child])
      child++;
    if (keys[child] >= key)
      break;
    keys[parent] = keys[child];
    nodes[parent] = nodes[child];
    parent = child;
  }
  keys[parent] = key;
  nodes[parent] = node;
}

double *dijkstra(size n, int64_t starts[n], size m, int64_t targets[m], size mw, double weights[mw],
                 size *shape) {
  double *distances = malloc((n - 1) * sizeof(double));
  double *keys = malloc((m + 1) * sizeof(double));
  int64_t *nodes = malloc((m + 1) * sizeof(int64_t));
  for (size i = 0; i < n - 1; i++)
    distances[i] = INFINITY;
  distances[0] = keys[0] = 0.0;
  nodes[0] = 0;
  int64_t count = 1;
  while (count > 0) {
    double distance = keys[0];
    int64_t node = nodes[0];
    count--;
    if (count > 0)
      sift(keys, nodes, count, keys[count], nodes[count]);
    if (distance > distances[node])
      continue;
    for (int64_t edge = starts[node]; edge < starts[node + 1]; edge++) {
      int64_t target = targets[edge];
      double through = distance + weights[edge];
      if (through < distances[target]) {
        distances[target] = through;
        push(keys, nodes, count++, through, target);
      }
    }
  }
  free(keys);
  free(nodes);
  shape[0] = n - 1;
  return distances;
}
