#include "kernel.h"

int64_t sieve(int64_t limit) {
  uint8_t *composite = calloc(limit, 1);
  int64_t count = 0;
  for (int64_t i = 2; i < limit; i++)
    if (!composite[i]) {
      count++;
      for (int64_t multiple = i * i; multiple < limit; multiple += i)
        composite[multiple] = 1;
    }
  free(composite);
  return count;
}
