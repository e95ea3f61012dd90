#include "kernel.hh"

struct Numbers {
  int64_t state;
  double next() {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return double(state) / 0x7fffffff;
  }
};

struct Average {
  int64_t count = 0;
  double mean = 0, squares = 0;
  void add(double value) {
    count++;
    double change = value - mean;
    mean += change / double(count);
    squares += change * (value - mean);
  }
  double variance() const { return squares / double(count); }
};

extern "C" double class_methods(int64_t seed, int64_t n) {
  Numbers numbers{seed};
  Average average;
  for (int64_t at = 0; at < n; at++)
    average.add(numbers.next());
  return average.mean + average.variance();
}
