#include "kernel.h"

void fdtd2d(size nx, size ny, double ex[nx][ny], size r1, size c1, double ey[nx][ny], size r2,
            size c2, double hz[nx][ny], size steps, double pulse[steps]) {
  for (size t = 0; t < steps; t++) {
    for (size j = 0; j < ny; j++)
      ey[0][j] = pulse[t];
    for (size i = 1; i < nx; i++)
      for (size j = 0; j < ny; j++)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (size i = 0; i < nx; i++)
      for (size j = 1; j < ny; j++)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (size i = 0; i < nx - 1; i++)
      for (size j = 0; j < ny - 1; j++)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}
