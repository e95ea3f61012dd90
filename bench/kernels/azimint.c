#include "kernel.h"

double *azimint(size n, double data[n], size n2, double radius[n2], size bins, size shape[1]) {
  double largest = radius[0];
  for (size i = 0; i < n; i++)
    largest = radius[i] > largest ? radius[i] : largest;
  double *sums = calloc(bins, sizeof(double)), *means = malloc(bins * sizeof(double));
  int64_t *counts = calloc(bins, sizeof(int64_t));
  for (size i = 0; i < n; i++) {
    size ring = (size)(radius[i] / largest * bins);
    ring = ring < bins - 1 ? ring : bins - 1;
    sums[ring] += data[i];
    counts[ring] += 1;
  }
  for (size i = 0; i < bins; i++)
    means[i] = sums[i] / counts[i];
  free(sums);
  free(counts);
  shape[0] = bins;
  return means;
}
