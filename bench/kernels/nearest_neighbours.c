#include "kernel.h"

int64_t *nearest_neighbours(size n, size dimensions, double points[n][dimensions], int64_t k,
                            size shape[2]) {
  int64_t(*out)[k] = malloc(n * sizeof *out);
  double *least = malloc(k * sizeof(double));
  for (size i = 0; i < n; i++) {
    for (size s = 0; s < k; s++)
      least[s] = INFINITY;
    for (size j = 0; j < n; j++) {
      double distance = 0.0;
      for (size d = 0; d < dimensions; d++) {
        double difference = points[i][d] - points[j][d];
        distance += difference * difference;
      }
      if (distance < least[k - 1]) {
        int64_t slot = k - 1;
        while (slot > 0 && least[slot - 1] > distance) {
          least[slot] = least[slot - 1];
          out[i][slot] = out[i][slot - 1];
          slot--;
        }
        least[slot] = distance;
        out[i][slot] = j;
      }
    }
  }
  free(least);
  shape[0] = n;
  shape[1] = k;
  return *out;
}
