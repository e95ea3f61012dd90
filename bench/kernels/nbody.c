#include "kernel.h"

static void accelerate(size n, double position[n][3], double mass[n], double acceleration[n][3]) {
  for (size i = 0; i < n; i++) {
    double ax = 0.0, ay = 0.0, az = 0.0;
    for (size j = 0; j < n; j++) {
      double dx = position[j][0] - position[i][0];
      double dy = position[j][1] - position[i][1];
      double dz = position[j][2] - position[i][2];
      double square = dx * dx + dy * dy + dz * dz + 0.01;
      double weight = mass[j] / (square * sqrt(square));
      ax += dx * weight;
      ay += dy * weight;
      az += dz * weight;
    }
    acceleration[i][0] = ax;
    acceleration[i][1] = ay;
    acceleration[i][2] = az;
  }
}

void nbody(size steps, size n, size three, double position[n][3], size n2, size three2,
           double velocity[n][3], size n3, double mass[n]) {
  double(*acceleration)[3] = malloc(n * sizeof(*acceleration));
  for (size step = 0; step < steps; step++) {
    accelerate(n, position, mass, acceleration);
    for (size i = 0; i < n; i++)
      for (size k = 0; k < 3; k++)
        velocity[i][k] += acceleration[i][k] * 0.01;
    for (size i = 0; i < n; i++)
      for (size k = 0; k < 3; k++)
        position[i][k] += velocity[i][k] * 0.01;
  }
  free(acceleration);
}
