// Which products are the runtime's, and which are loops.

// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f64, C>, !typed.array<2, f64, F>)' | %pyopt --py-translate-bytecode --infer-types=products=all | FileCheck %s --check-prefix=MATMUL
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f64, C>, !typed.array<2, f64, F>)' | %pyopt --py-translate-bytecode --infer-types=products=threads | FileCheck %s --check-prefix=THREADS
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f64, C>, !typed.array<2, f64, F>)' | %pyopt --py-translate-bytecode --infer-types | FileCheck %s --check-prefix=LOOPS
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f64, C>, !typed.array<1, f64, C>)' | %pyopt --py-translate-bytecode --infer-types=products=matrices | FileCheck %s --check-prefix=LOOPS
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f32, C>, !typed.array<1, f64, bytes>)' | %pyopt --py-translate-bytecode --infer-types=products=all | FileCheck %s --check-prefix=MATVEC
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, si64, C>, !typed.array<2, si64, C>)' | %pyopt --py-translate-bytecode --infer-types=products=all | FileCheck %s --check-prefix=LOOPS
// RUN: %py-translate %S/../programs/Inputs/products.py -s 'matrices(!typed.array<2, f64, C>, !typed.array<2, f64, C>)' | not %pyopt --py-translate-bytecode --infer-types=products=some 2>&1 | FileCheck %s --check-prefix=ERROR

// MATMUL: func.func @matrices
// MATMUL: typed.require_equal
// MATMUL: %[[OUT:.*]] = typed.empty
// MATMUL: typed.call @native.0(%[[OUT]], %arg0, %arg1)
// MATMUL-NOT: typed.generate
// MATMUL: return %[[OUT]]
// MATMUL: func.func private @native.0({{.*}}) -> !typed.none attributes {pyopt.native = "pyopt_matmul_f64"}

// THREADS: pyopt.native = "pyopt_matmul_on_threads_f64"

// LOOPS: typed.generate
// LOOPS-NOT: pyopt.native

// What has other elements, or strides in bytes, is copied.
// MATVEC: typed.array_expr(%arg0)
// MATVEC: typed.array_expr(%arg1)
// MATVEC: pyopt.native = "pyopt_matvec_f64"

// ERROR: products=some: expected 'loops', 'matrices', 'threads' or 'all'
