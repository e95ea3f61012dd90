#include "kernel.hh"
#include <charconv>

extern "C" int64_t format_floats(size n, const double *x) {
  int64_t found = 0;
  char text[400];
  for (size at = 0; at < n; at++) {
    // Python writes a point in any case, and exponents from 1e16 and below 1e-4, which there are none of.
    char *end = std::to_chars(text, text + sizeof text, x[at], std::chars_format::fixed).ptr;
    found += end - text + (std::find(text, end, '.') == end ? 2 : 0);
    found += std::to_chars(text, text + sizeof text, x[at], std::chars_format::fixed, 3).ptr - text;
  }
  return found;
}
