// A tool's own rewrites take part in the registry, and are passes by their names.

// RUN: %extended-opt %s --typed-rewrite --split-input-file | FileCheck %s
// RUN: %extended-opt %s --example-undo --split-input-file | FileCheck %s
// RUN: %extended-opt %s --py-rewrite --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=BEFORE
// RUN: %extended-opt %s --typed-rewrite --split-input-file --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// Four in a row: changing one is the end of the match of the next.

// CHECK-LABEL: func.func @four
// CHECK-SAME: (%[[X:.*]]: f64)
// CHECK: return %[[X]]
// BEFORE-LABEL: func.func @four
// BEFORE-COUNT-4: typed.unary
// STATISTICS: (S) {{ *}}1 rewritten
func.func @four(%x: f64) -> f64 {
  %0 = typed.unary neg %x : f64
  %1 = typed.unary neg %0 : f64
  %2 = typed.unary neg %1 : f64
  %3 = typed.unary neg %2 : f64
  return %3 : f64
}

// CHECK-LABEL: func.func @once
// CHECK: typed.unary neg
func.func @once(%x: f64) -> f64 {
  %0 = typed.unary neg %x : f64
  return %0 : f64
}

// -----

// One that doesn't come to an end is named.

py.func @endless() attributes {arg_names = [], globals = "m"} {
  // expected-error @+2 {{rewrite 'example-endless' still matches after 64 rounds}}
  // expected-note @+1 {{what a rewrite makes must not match it again}}
  %0 = py.global @m.x
  py.return %0
}
