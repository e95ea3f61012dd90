#include "kernel.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double *rolling_median(size n, double values[n], int64_t width, size *shape) {
  double *out = malloc((n - width + 1) * sizeof(double));
  double *window = malloc(width * sizeof(double));
  memcpy(window, values, width * sizeof(double));
  qsort(window, width, sizeof(double), ascending);
  out[0] = window[width / 2];
  for (int64_t i = width; i < n; i++) {
    double old = values[i - width], new = values[i];
    int64_t slot = 0;
    while (window[slot] != old)
      slot++;
    for (; slot + 1 < width && window[slot + 1] < new; slot++)
      window[slot] = window[slot + 1];
    for (; slot > 0 && window[slot - 1] > new; slot--)
      window[slot] = window[slot - 1];
    window[slot] = new;
    out[i - width + 1] = window[width / 2];
  }
  free(window);
  shape[0] = n - width + 1;
  return out;
}
