#include "kernel.hh"

extern "C" int64_t append_pop(int64_t n) {
  std::vector<int64_t> stack{1};
  int64_t total = 0;
  auto pop = [&] {
    int64_t last = stack.back();
    stack.pop_back();
    return last;
  };
  for (int64_t at = 0; at < n; at++) {
    if (at % 5 == 4) {
      total += pop();
      total ^= pop();
    }
    stack.push_back(at ^ (total & 1023));
  }
  while (stack.size() > 1)
    total = (total * 3 + pop()) & 0xffffffff;
  return total;
}
