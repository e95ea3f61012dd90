#include "kernel.hh"
#include <unordered_map>

struct Hash {
  size_t operator()(const std::pair<int64_t, int64_t> &cell) const {
    uint64_t mixed = uint64_t(cell.first) * 0x9e3779b97f4a7c15 ^ uint64_t(cell.second);
    return mixed * 0x9e3779b97f4a7c15 >> 20;
  }
};

extern "C" int64_t tuple_dict(size n, const int64_t *steps) {
  std::unordered_map<std::pair<int64_t, int64_t>, int64_t, Hash> visits;
  int64_t x = 0, y = 0, most = 0, edge = 0;
  for (size at = 0; at < n; at++) {
    if (steps[at] < 2)
      x += 2 * steps[at] - 1;
    else
      y += 2 * steps[at] - 5;
    visits[{x, y}]++;
  }
  for (auto &[cell, count] : visits) {
    most = std::max(most, count);
    edge += !visits.count({cell.first + 1, cell.second});
  }
  return most * 1000000 + edge;
}
