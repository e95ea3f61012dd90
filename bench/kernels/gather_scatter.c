#include "kernel.h"

double *gather_scatter(size m, size three, int32_t elements[m][three], size n, double values[n],
                       size mw, double weights[mw], size *shape) {
  double *out = calloc(n, sizeof(double));
  for (size e = 0; e < m; e++) {
    int32_t a = elements[e][0], b = elements[e][1], c = elements[e][2];
    double mean = (values[a] + values[b] + values[c]) / 3.0 * weights[e];
    out[a] += mean;
    out[b] += mean;
    out[c] += mean;
  }
  shape[0] = n;
  return out;
}
