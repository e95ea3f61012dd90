#include "kernel.h"

void floyd_warshall(size n, size columns, int64_t path[n][columns]) {
  for (size k = 0; k < n; k++)
    for (size i = 0; i < n; i++)
      for (size j = 0; j < n; j++) {
        int64_t through = path[i][k] + path[k][j];
        path[i][j] = through < path[i][j] ? through : path[i][j];
      }
}
