// RUN: not %pyopt %s --infer-types='error-model=odd' 2>&1 | FileCheck %s

// An option is looked at even where nothing asks for it.

// CHECK: error: pass 'infer-types' failed: error-model=odd: expected 'python' or 'numpy'
module {}
