#include "../kernel.h"

double *options(size n, double price[n], size ns, double strike[n], size ny, double years[n],
                size *shape) {
  double *out = malloc(n * sizeof(double));
  shape[0] = n;
#pragma omp parallel for simd
  for (size i = 0; i < n; i++) {
    double deviation = 0.3 * sqrt(years[i]);
    double first = (log(price[i] / strike[i]) + 0.1 * years[i]) / deviation + 0.5 * deviation;
    double second = first - deviation;
    double present = strike[i] * exp(-0.1 * years[i]);
    out[i] = price[i] / (1.0 + exp(-1.702 * first)) - present / (1.0 + exp(-1.702 * second));
  }
  return out;
}
