// What the kernels in C share. A kernel takes what the Python function takes: numbers as they are,
// an array as its sizes and then the pointer. A fresh array comes from malloc; its sizes are
// written to `shape`, the last parameter.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t size;
