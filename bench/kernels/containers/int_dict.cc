#include "kernel.hh"
#include <unordered_map>

extern "C" int64_t int_dict(size n, const int64_t *keys, size m, const int64_t *values) {
  std::unordered_map<int64_t, int64_t> sums;
  for (size at = 0; at < n; at++)
    sums[keys[at]] += values[at];
  for (size at = 0; at < n; at += 3)
    sums.erase(keys[at]);
  int64_t total = 0;
  for (auto &[key, value] : sums)
    total += key ^ value;
  return total;
}
