#include "kernel.h"

// Python's %: the sign is the divisor's.
static int64_t modulo(int64_t a, int64_t b) {
  int64_t rest = b == -1 ? 0 : a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

int64_t coprime_pairs(int64_t n) {
  int64_t count = 0;
  for (int64_t i = 1; i < n; i++)
    for (int64_t j = 1; j < n; j++) {
      int64_t a = i, b = j;
      while (b) {
        int64_t rest = modulo(a, b);
        a = b;
        b = rest;
      }
      count += a == 1;
    }
  return count;
}
