#include "kernel.hh"
#include <unordered_set>

using Set = std::unordered_set<int64_t>;

extern "C" int64_t set_algebra(size n, const int64_t *a, size m, const int64_t *b, size k, const int64_t *c) {
  Set first(a, a + n), second(b, b + m), third(c, c + k);
  Set joined = first, left;
  joined.insert(second.begin(), second.end());
  int64_t common = 0, odd = 0;
  for (int64_t one : first)
    common += third.count(one);
  for (int64_t one : second)
    if (!first.count(one))
      left.insert(one);
  for (int64_t one : left)
    odd += !third.count(one);
  for (int64_t one : third)
    odd += !left.count(one);
  int64_t found = int64_t(joined.size()) + 3 * common + 5 * odd;
  first.insert(third.begin(), third.end());
  for (int64_t one : second)
    first.erase(one);
  found += std::all_of(first.begin(), first.end(), [&](int64_t one) { return third.count(one); });
  for (int64_t one : first)
    found += one & 1;
  return found;
}
