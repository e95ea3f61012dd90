#include "../kernel.h"

double monte_carlo(int64_t parts, int64_t points) {
  int64_t inside = 0;
#pragma omp parallel for reduction(+ : inside)
  for (int64_t part = 0; part < parts; part++) {
    int64_t state = part * 7919 + 12345, hits = 0;
    for (int64_t point = 0; point < points; point++) {
      state = (state * 1103515245 + 12345) & 2147483647;
      double x = state / 2147483648.0;
      state = (state * 1103515245 + 12345) & 2147483647;
      double y = state / 2147483648.0;
      hits += x * x + y * y < 1.0;
    }
    inside += hits;
  }
  return 4.0 * inside / (parts * points);
}
