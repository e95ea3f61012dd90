#include "kernel.h"

int64_t matches(size n, uint8_t text[n], size m, uint8_t pattern[m]) {
  int64_t *borders = calloc(m, sizeof(int64_t)), length = 0, count = 0;
  for (int64_t i = 1; i < m; i++) {
    while (length > 0 && pattern[i] != pattern[length])
      length = borders[length - 1];
    length += pattern[i] == pattern[length];
    borders[i] = length;
  }
  length = 0;
  for (int64_t i = 0; i < n; i++) {
    while (length > 0 && text[i] != pattern[length])
      length = borders[length - 1];
    length += text[i] == pattern[length];
    if (length == m) {
      count++;
      length = borders[length - 1];
    }
  }
  free(borders);
  return count;
}
