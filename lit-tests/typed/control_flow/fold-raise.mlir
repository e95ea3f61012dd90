// Blocks that raise become checks.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-fold-raise))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-fold-raise))' --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

func.func private @effect(si64) -> si64

// What the block computes besides nobody needs; the sibling's operands stay.
// CHECK-LABEL: func.func @direct
func.func @direct(%c: i1, %x: si64) -> si64 {
  // CHECK-NEXT: typed.raise_if %arg0, "ValueError"("no")
  // CHECK-NEXT: cf.br ^[[GOOD:bb[0-9]+]](%arg1 : si64)
  // LOC: typed.raise_if %{{.*}}, "ValueError"("no") loc(#[[RAISE:loc[0-9]*]])
  cf.cond_br %c, ^bad, ^good(%x : si64) loc("f.py":1:1)
^bad:
  %y = typed.binary add %x, %x : si64
  typed.raise "ValueError"("no") loc("f.py":2:2)
// CHECK: ^[[GOOD]](%[[R:.*]]: si64)
^good(%r: si64):
  return %r : si64
}

// CHECK-LABEL: func.func @inverted
func.func @inverted(%c: i1, %x: si64) -> si64 {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: %[[NOT:.*]] = arith.xori %arg0, %[[TRUE]]
  // CHECK: typed.raise_if %[[NOT]], "ValueError"
  // CHECK-NEXT: cf.br
  cf.cond_br %c, ^good, ^bad
^bad:
  typed.raise "ValueError"
^good:
  return %x : si64
}

// Both ways raise: the second always does.
// CHECK-LABEL: func.func @both
func.func @both(%c: i1) -> f64 {
  // CHECK-NEXT: typed.raise_if %arg0, "KeyError"
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: typed.raise_if %[[TRUE]], "ValueError"
  // CHECK-NEXT: %[[NEVER:.*]] = ub.poison : f64
  // CHECK-NEXT: return %[[NEVER]]
  cf.cond_br %c, ^one, ^two
^one:
  typed.raise "KeyError"
^two:
  typed.raise "ValueError"
}

// A block that several branches go to is folded into each.
// CHECK-LABEL: func.func @shared
func.func @shared(%c: i1, %d: i1) {
  // CHECK-NEXT: typed.raise_if %arg0, "ValueError"
  // CHECK: typed.raise_if %arg1, "ValueError"
  // CHECK-NOT: typed.raise
  cf.cond_br %c, ^bad, ^next
^next:
  cf.cond_br %d, ^bad, ^good
^bad:
  typed.raise "ValueError"
^good:
  return
}

// What has effects keeps its block and goes on as its sibling does: the loop has one exit.
// CHECK-LABEL: func.func @effect_in_loop
func.func @effect_in_loop(%n: !typed.range<si64>) -> si64 {
  %c0 = typed.constant 0 : si64
  %it = typed.iter %n : !typed.range<si64>
  cf.br ^h(%c0 : si64)
// CHECK: ^[[H:bb[0-9]+]](%{{.*}}: si64):
^h(%s: si64):
  // CHECK-NEXT: typed.for_iter
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  %c = typed.compare eq %i, %s : si64
  // CHECK: cf.cond_br %{{.*}}, ^[[BAD:bb[0-9]+]], ^[[H]](%{{.*}} : si64)
  cf.cond_br %c, ^bad, ^h(%i : si64)
^bad:
  %k = typed.call @effect(%i) : (si64) -> si64
  typed.raise "ValueError"
^exit:
  return %s : si64
// CHECK: ^[[BAD]]:
// CHECK-NEXT: typed.call @effect
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: typed.raise_if %[[TRUE]], "ValueError"
// CHECK-NEXT: %[[NEVER:.*]] = ub.poison : si64
// CHECK-NEXT: cf.br ^[[H]](%[[NEVER]] : si64)
}

// Raising for the first item: the loop goes on.
// CHECK-LABEL: func.func @item
func.func @item(%n: !typed.range<si64>) {
  %it = typed.iter %n : !typed.range<si64>
  cf.br ^h
// CHECK: ^[[H:bb[0-9]+]]:
^h:
  // CHECK-NEXT: typed.for_iter %{{.*}} ^[[BAD:bb[0-9]+]], ^{{.*}}
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  typed.raise "ValueError"
^exit:
  return
// CHECK: ^[[BAD]](%{{.*}}: si64):
// CHECK: typed.raise_if
// CHECK: cf.br ^[[H]]
}

// Raising behind a loop leaves the function.
// CHECK-LABEL: func.func @search
func.func @search(%a: !typed.array<1, si64, C>, %x: si64) -> si64 {
  %it = typed.iter %a : !typed.array<1, si64, C>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.array<1, si64, C>>, ^body, ^exit
^body(%i: si64):
  %c = typed.compare eq %i, %x : si64
  cf.cond_br %c, ^found, ^h
^found:
  return %i : si64
^exit:
  typed.raise "KeyError"
// CHECK: typed.raise_if %{{.*}}, "KeyError"
// CHECK-NEXT: %[[NEVER:.*]] = ub.poison : si64
// CHECK-NEXT: return %[[NEVER]]
}

// A raise that follows another decision.
// CHECK-LABEL: func.func @two
func.func @two(%c: i1, %d: i1, %x: si64) -> si64 {
  cf.cond_br %c, ^bad, ^good
^bad:
  cf.cond_br %d, ^bad1, ^bad2
^bad1:
  typed.raise "ValueError"("1")
^bad2:
  %k = typed.call @effect(%x) : (si64) -> si64
  typed.raise "ValueError"("2")
^good:
  return %x : si64
// CHECK: typed.raise_if %arg1, "ValueError"("1")
// CHECK-NEXT: typed.call @effect
// CHECK: typed.raise_if %{{.*}}, "ValueError"("2")
// CHECK-NEXT: cf.br
}

// Kernels of stencils raise, too.
// CHECK-LABEL: func.func @stencil
func.func @stencil(%a: !typed.array<1, f64, C>, %c: i1) -> !typed.array<1, f64, C> {
  // CHECK: stencil.apply
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: typed.raise_if %arg1, "ValueError"
  %r = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    cf.cond_br %c, ^bad, ^good
  ^bad:
    typed.raise "ValueError"
  ^good:
    %z = typed.constant 0.0 : f64
    stencil.return %z : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}

// The check is where the raise is.
// LOC-DAG: #[[RAISE]] = loc("f.py":2:2)

// An exception that is a value, and that the branch passes to the block that raises it.
// CHECK-LABEL: func.func @value
func.func @value(%c: i1, %e: !typed.exception, %x: si64) -> si64 {
  // CHECK-NEXT: typed.raise_value_if %arg0, %arg1 : !typed.exception
  // CHECK-NEXT: cf.br
  cf.cond_br %c, ^raise(%e : !typed.exception), ^good
^raise(%raised: !typed.exception):
  typed.raise_value %raised : !typed.exception
^good:
  return %x : si64
}

// What makes the exception stays off the way that is taken without it.
// CHECK-LABEL: func.func @made
func.func @made(%c: i1, %x: si64) -> si64 {
  // CHECK-NEXT: cf.cond_br %arg0, ^[[BAD:bb[0-9]+]], ^[[GOOD:bb[0-9]+]]
  cf.cond_br %c, ^bad, ^good
^bad:
  %e = typed.exception "ValueError" with %x : si64 : !typed.exception
  typed.raise_value %e : !typed.exception
^good:
  return %x : si64
// CHECK: ^[[BAD]]:
// CHECK-NEXT: %[[E:.*]] = typed.exception "ValueError" with %arg1
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: typed.raise_value_if %[[TRUE]], %[[E]]
// CHECK-NEXT: cf.br ^[[GOOD]]
}
