#include "kernel.h"

int64_t run_lengths(size n, uint8_t values[n], size m, size two, int64_t out[m][two]) {
  int64_t count = 0, start = 0;
  for (int64_t i = 1; i < n + 1; i++)
    if (i == n || values[i] != values[start]) {
      out[count][0] = values[start];
      out[count][1] = i - start;
      count++;
      start = i;
    }
  return count;
}
