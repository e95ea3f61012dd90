#include "../kernel.h"

int64_t *nearest(size n, size d, double points[n][d], size m, size dc, double centres[m][d],
                 size *shape) {
  int64_t *out = malloc(n * sizeof(int64_t));
  shape[0] = n;
#pragma omp parallel for
  for (size i = 0; i < n; i++) {
    int64_t best = 0;
    double least = INFINITY;
    for (size k = 0; k < m; k++) {
      double distance = 0.0;
      for (size e = 0; e < d; e++) {
        double difference = points[i][e] - centres[k][e];
        distance += difference * difference;
      }
      if (distance < least) {
        best = k;
        least = distance;
      }
    }
    out[i] = best;
  }
  return out;
}
