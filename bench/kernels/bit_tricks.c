#include "kernel.h"

int64_t bit_tricks(size n, int64_t words[n]) {
  int64_t total = 0;
  for (size i = 1; i < n; i++) {
    int64_t word = words[i] ^ words[i - 1];
    while (word) {
      word &= word - 1;
      total++;
    }
    total ^= words[i] ^ (words[i] >> 1);
  }
  return total;
}
