#include "kernel.hh"

extern "C" int64_t sort_by_key(size n, const int64_t *x, size m, const int64_t *y) {
  struct Keyed {
    int64_t key, a, b;
  };
  std::vector<Keyed> pairs;
  for (size at = 0; at < n; at++)
    pairs.push_back({std::abs(x[at] - y[at]), x[at], y[at]});
  std::stable_sort(pairs.begin(), pairs.end(), [](auto &one, auto &other) { return one.key < other.key; });
  int64_t found = 0;
  for (size at = 0; at < n; at++)
    found = (found * 31 + at * pairs[at].a + pairs[at].b) & 0xffffffff;
  return found;
}
