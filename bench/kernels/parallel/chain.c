#include "../kernel.h"

double chain(size n, double a[n], size nb, double b[n]) {
  double total = 0.0;
#pragma omp parallel for simd reduction(+ : total)
  for (size i = 0; i < n; i++) {
    double difference = a[i] - b[i];
    total += sqrt(difference * difference + 1.0);
  }
  return total;
}
