#include "kernel.hh"

extern "C" int64_t text_levenshtein(size m, const char *a, size n, const char *b) {
  std::vector<int64_t> previous(n + 1), current;
  for (size j = 0; j <= n; j++)
    previous[j] = j;
  for (size i = 0; i < m; i++) {
    current.assign(1, i + 1);
    for (size j = 0; j < n; j++) {
      int64_t cost = a[i] == b[j] ? 0 : 1;
      current.push_back(std::min({previous[j] + cost, previous[j + 1] + 1, current[j] + 1}));
    }
    previous.swap(current);
  }
  return previous[n];
}
