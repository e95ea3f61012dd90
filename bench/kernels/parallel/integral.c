#include "../kernel.h"

double integral(size n) {
  double total = 0.0;
#pragma omp parallel for simd reduction(+ : total)
  for (size i = 0; i < n; i++) {
    double x = (i + 0.5) / n;
    total += 4.0 / (1.0 + x * x);
  }
  return total / n;
}
