#include "kernel.h"

int64_t binary_search(size n, double values[n], size m, double queries[m]) {
  int64_t total = 0;
  for (size i = 0; i < m; i++) {
    int64_t low = 0, high = n;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (values[middle] < queries[i])
        low = middle + 1;
      else
        high = middle;
    }
    total += low;
  }
  return total;
}
