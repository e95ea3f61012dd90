#include "../kernel.h"

double *sparse(size nd, double data[nd], size np, int64_t places[np], size ns, int64_t starts[ns],
               size nx, double x[nx], size *shape) {
  double *out = malloc((ns - 1) * sizeof(double));
  shape[0] = ns - 1;
#pragma omp parallel for schedule(dynamic, 1024)
  for (size i = 0; i < ns - 1; i++) {
    double total = 0.0;
    for (size k = starts[i]; k < starts[i + 1]; k++)
      total += data[k] * x[places[k]];
    out[i] = total;
  }
  return out;
}
