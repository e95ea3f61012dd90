#include "kernel.h"

double *merge_sort(size n, double values[n], size *shape) {
  double *source = malloc(n * sizeof(double)), *target = malloc(n * sizeof(double));
  memcpy(source, values, n * sizeof(double));
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t start = 0; start < n; start += 2 * width) {
      int64_t middle = start + width < n ? start + width : n;
      int64_t end = start + 2 * width < n ? start + 2 * width : n;
      int64_t left = start, right = middle;
      for (int64_t k = start; k < end; k++)
        if (left < middle && (right >= end || source[left] <= source[right]))
          target[k] = source[left++];
        else
          target[k] = source[right++];
    }
    double *other = source;
    source = target;
    target = other;
  }
  free(target);
  shape[0] = n;
  return source;
}
