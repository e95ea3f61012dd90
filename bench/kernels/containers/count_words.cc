#include "kernel.hh"
#include <string_view>
#include <unordered_map>

extern "C" int64_t count_words(size n, const char *text) {
  std::unordered_map<std::string_view, int64_t> counts;
  for (size at = 0; at < n;) {
    size end = at;
    while (end < n && text[end] != ' ')
      end++;
    if (end > at)
      counts[{text + at, size_t(end - at)}]++;
    at = end + 1;
  }
  int64_t most = 0;
  for (auto &[word, count] : counts)
    most = std::max(most, count);
  return int64_t(counts.size()) * 1000000 + most;
}
