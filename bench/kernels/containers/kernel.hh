// What the kernels in C++ share: `kernel.h`, and a text is its length and its bytes.
extern "C" {
#include "../kernel.h"
}
#include <algorithm>
#include <vector>
