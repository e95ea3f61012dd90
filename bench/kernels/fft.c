#include "kernel.h"

void fft(size n, double real[n], size m, double imaginary[m]) {
  int64_t j = 0;
  for (int64_t i = 1; i < n; i++) {
    int64_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      double x = real[i], y = imaginary[i];
      real[i] = real[j], imaginary[i] = imaginary[j];
      real[j] = x, imaginary[j] = y;
    }
  }
  for (int64_t length = 2; length <= n; length *= 2) {
    double angle = -2.0 * M_PI / length;
    double step_real = cos(angle), step_imaginary = sin(angle);
    for (int64_t start = 0; start < n; start += length) {
      double w_real = 1.0, w_imaginary = 0.0;
      for (int64_t k = start; k < start + length / 2; k++) {
        int64_t other = k + length / 2;
        double x = real[other] * w_real - imaginary[other] * w_imaginary;
        double y = real[other] * w_imaginary + imaginary[other] * w_real;
        real[other] = real[k] - x;
        imaginary[other] = imaginary[k] - y;
        real[k] += x;
        imaginary[k] += y;
        double turned = w_real * step_real - w_imaginary * step_imaginary;
        w_imaginary = w_real * step_imaginary + w_imaginary * step_real;
        w_real = turned;
      }
    }
  }
}
