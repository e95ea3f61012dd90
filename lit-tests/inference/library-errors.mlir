// Errors in functions of the overload library are at the program's call of them.
// RUN: not %pyopt %s --infer-types --split-input-file 2>&1 | FileCheck %s

// CHECK: library-errors.mlir:[[@LINE+9]]:{{.*}}: error: no implementation of numpy.median for (array(complex128, 1d, C)): quantiles of complex numbers are not supported
// CHECK: %0 = py.call %median(%a)
// CHECK: pyopt/library/statistics.py:{{.*}}: note: in numpy.median of the library
py.binding @m.np = #py.module<"numpy">
py.specialize @m.order(!typed.array<1, complex<f64>, C>) as @order
py.func @m.order(%a) attributes {arg_names = ["a"], globals = "m"} {
  %np = py.global @m.np
  %median = py.getattr %np "median"
  // The call.
  %0 = py.call %median(%a)
  py.return %0
}

// -----

// CHECK: error: the argument 'keepdims' of numpy.sum must be a constant
// CHECK: note: hint: write the value in the call
py.specialize @m.kept(!typed.array<2, f64, C>, i1) as @kept
py.func @m.kept(%a, %kept) attributes {arg_names = ["a", "kept"], globals = "m"} {
  %one = py.constant 1 : i64
  %sum = py.getattr %a "sum"
  %0 = py.call %sum(%one, %kept) keywords ["axis", "keepdims"]
  py.return %0
}

// -----

// CHECK: error: no implementation of array.__getitem__ for (array(float64, 1d, C), array(float64, 1d, C)): arrays used as indices must be of integer (or boolean) type
py.specialize @m.select(!typed.array<1, f64, C>, !typed.array<1, f64, C>) as @select
py.func @m.select(%a, %m) attributes {arg_names = ["a", "m"], globals = "m"} {
  %0 = py.getitem %a[%m]
  py.return %0
}
