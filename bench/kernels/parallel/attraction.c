#include "../kernel.h"

double *attraction(size n, size three, double place[n][3], size nm, double mass[n], size *shape) {
  double(*force)[3] = malloc(n * 3 * sizeof(double));
  shape[0] = n;
  shape[1] = 3;
#pragma omp parallel for
  for (size i = 0; i < n; i++) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (size j = 0; j < n; j++) {
      double a = place[j][0] - place[i][0];
      double b = place[j][1] - place[i][1];
      double c = place[j][2] - place[i][2];
      double square = a * a + b * b + c * c + 0.01;
      double weight = mass[j] / (square * sqrt(square));
      x += weight * a;
      y += weight * b;
      z += weight * c;
    }
    force[i][0] = x;
    force[i][1] = y;
    force[i][2] = z;
  }
  return (double *)force;
}
