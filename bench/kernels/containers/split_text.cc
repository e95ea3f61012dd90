#include "kernel.hh"
#include <string_view>

static std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    size_t end = text.find(at, start);
    parts.push_back(text.substr(start, end == text.npos ? end : end - start));
    if (end == text.npos)
      return parts;
    start = end + 1;
  }
}

extern "C" int64_t split_text(size n, const char *text) {
  int64_t total = 0;
  for (std::string_view line : split({text, size_t(n)}, '\n')) {
    auto columns = split(line, ',');
    std::string_view name = columns[0];
    size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
    int64_t length = first == name.npos ? 0 : int64_t(last - first + 1);
    total += int64_t(columns[1].size()) * length - int64_t(columns.size());
  }
  return total;
}
