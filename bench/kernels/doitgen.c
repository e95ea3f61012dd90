#include "kernel.h"

void doitgen(size nr, size nq, size np, double a[nr][nq][np], size rows, size columns,
             double c4[rows][columns]) {
  double *total = malloc(np * sizeof(double));
  for (size r = 0; r < nr; r++)
    for (size q = 0; q < nq; q++) {
      for (size p = 0; p < np; p++) {
        total[p] = 0.0;
        for (size s = 0; s < np; s++)
          total[p] += a[r][q][s] * c4[s][p];
      }
      for (size p = 0; p < np; p++)
        a[r][q][p] = total[p];
    }
  free(total);
}
