#include "kernel.hh"
#include <string>

extern "C" int64_t join_texts(int64_t n, size length, const char *word) {
  std::string ending(word, length), joined = ending, replaced;
  for (int64_t at = 0; at < n; at++)
    joined += ", " + std::to_string(at) + ending;
  for (size_t at = 0; at < joined.size(); at++) {
    bool is_found = joined.compare(at, 2, "7,") == 0;
    replaced += is_found ? ';' : joined[at];
    at += is_found;
  }
  return int64_t(joined.size()) * 1000 + int64_t(replaced.size());
}
