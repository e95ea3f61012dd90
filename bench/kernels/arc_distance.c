#include "kernel.h"

double *arc_distance(size n, double theta1[n], size n2, double phi1[n2], size n3,
                     double theta2[n3], size n4, double phi2[n4], size shape[1]) {
  double *distance = malloc(n * sizeof(double));
  for (size i = 0; i < n; i++) {
    double down = sin((theta2[i] - theta1[i]) / 2), across = sin((phi2[i] - phi1[i]) / 2);
    double square = down * down + cos(theta1[i]) * cos(theta2[i]) * (across * across);
    distance[i] = 2 * atan2(sqrt(square), sqrt(1 - square));
  }
  shape[0] = n;
  return distance;
}
