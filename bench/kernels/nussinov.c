#include "kernel.h"

static int64_t larger(int64_t a, int64_t b) { return b > a ? b : a; }

int64_t *nussinov(size n, int64_t sequence[n], size shape[2]) {
  int64_t(*table)[n] = calloc(n * n, sizeof(int64_t));
  for (size i = n - 1; i >= 0; i--)
    for (size j = i + 1; j < n; j++) {
      int64_t best = larger(table[i][j - 1], table[i + 1][j]);
      int64_t pairs = sequence[i] + sequence[j] == 3 && i < j - 1;
      best = larger(best, table[i + 1][j - 1] + pairs);
      for (size k = i + 1; k < j; k++)
        best = larger(best, table[i][k] + table[k + 1][j]);
      table[i][j] = best;
    }
  shape[0] = shape[1] = n;
  return *table;
}
