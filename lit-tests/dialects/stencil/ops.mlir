// Round trip of every operation of the stencil dialect.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s

// CHECK-LABEL: func.func @apply
func.func @apply(%a: !typed.array<1, f64, C>, %w: f64) -> !typed.array<1, f64, C> {
  // CHECK: stencil.apply(%{{.*}}, %{{.*}}) neighborhood [0, 1] cval 1.000000e+00 : f64 {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: !typed.array<1, f64, C>, %{{.*}}: f64):
  %r = stencil.apply(%a, %w) neighborhood [0, 1] cval 1.0 : f64 {
  ^bb0(%x: !typed.array<1, f64, C>, %k: f64):
    %one = typed.constant 1 : si64
    // CHECK: stencil.access %[[A]][%{{.*}}] : !typed.array<1, f64, C>, si64 -> f64
    %h = stencil.access %x[%one] : !typed.array<1, f64, C>, si64 -> f64
    %s = typed.binary mul %h, %k : f64
    // CHECK: stencil.return %{{.*}} : f64
    stencil.return %s : f64
  // CHECK: } : (!typed.array<1, f64, C>, f64) -> !typed.array<1, f64, C>
  } : (!typed.array<1, f64, C>, f64) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}

// CHECK-LABEL: func.func @control_flow
func.func @control_flow(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>) -> !typed.array<1, f64, C> {
  %r = stencil.apply(%a, %b) {
  ^bb0(%x: !typed.array<1, f64, C>, %y: !typed.array<1, f64, C>):
    %zero = typed.constant 0 : si64
    %v = stencil.access %x[%zero] : !typed.array<1, f64, C>, si64 -> f64
    %c = typed.compare lt %v, %v : f64
    cf.cond_br %c, ^then, ^else
  ^then:
    stencil.return %v : f64
  ^else:
    %u = typed.load %y[%zero] : !typed.array<1, f64, C>, si64 -> f64
    stencil.return %u : f64
  // CHECK: } {standard_indexing = array<i64: 1>} : (!typed.array<1, f64, C>, !typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  } {standard_indexing = array<i64: 1>} : (!typed.array<1, f64, C>, !typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}

// CHECK-LABEL: func.func @position
func.func @position(%a: !typed.array<1, si64, C>) -> !typed.array<1, si64, C> {
  %r = stencil.apply(%a) neighborhood [0, 0] {
  ^bb0(%x: !typed.array<1, si64, C>):
    // CHECK: stencil.position 0 : si64
    %p = stencil.position 0 : si64
    stencil.return %p : si64
  } : (!typed.array<1, si64, C>) -> !typed.array<1, si64, C>
  return %r : !typed.array<1, si64, C>
}
