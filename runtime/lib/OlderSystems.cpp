//===- OlderSystems.cpp - Functions that older C libraries lack ------------===//
//
// What is built on a system runs on those whose C library has all functions
// that it calls. LLVM calls one that is younger than all others: defined here,
// it isn't taken from the C library.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

/// Four random bytes; LLVM makes the names of temporary files of them.
extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() noexcept {
  uint32_t bytes;
  while (getrandom(&bytes, sizeof(bytes), 0) != sizeof(bytes))
    if (errno != EINTR)
      std::abort();
  return bytes;
}
