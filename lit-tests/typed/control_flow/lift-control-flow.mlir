// Control flow graphs become structured code.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-lift-control-flow),canonicalize,cse)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-lift-control-flow))' | %pyopt | FileCheck %s --check-prefix=RAW

// Nothing is left of the graph.
// RAW-NOT: {{ cf\.}}
// RAW-NOT: scf.execute_region

// CHECK-LABEL: func.func @choice
func.func @choice(%c: i1, %x: si64, %y: si64) -> si64 {
  // CHECK: %[[R:.*]] = scf.if %arg0 -> (si64) {
  // CHECK-NEXT: typed.binary add
  // CHECK: } else {
  // CHECK-NEXT: typed.binary sub
  // CHECK: return %[[R]]
  cf.cond_br %c, ^add, ^sub
^add:
  %a = typed.binary add %x, %y : si64
  cf.br ^done(%a : si64)
^sub:
  %s = typed.binary sub %x, %y : si64
  cf.br ^done(%s : si64)
^done(%r: si64):
  return %r : si64
}

// CHECK-LABEL: func.func @gcd
func.func @gcd(%a: si64, %b: si64) -> si64 {
  %c0 = typed.constant 0 : si64
  // CHECK: %[[R:.*]]:2 = scf.while (%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1)
  // CHECK-NEXT: %[[C:.*]] = typed.compare ne %[[Y]]
  // CHECK-NEXT: scf.condition(%[[C]]) %[[X]], %[[Y]]
  cf.br ^h(%a, %b : si64, si64)
^h(%x: si64, %y: si64):
  %c = typed.compare ne %y, %c0 : si64
  cf.cond_br %c, ^body, ^exit
^body:
  // CHECK: %[[M:.*]] = typed.binary mod
  %m = typed.binary mod %x, %y : si64
  cf.br ^h(%y, %m : si64, si64)
^exit:
  // CHECK: return %[[R]]#0
  return %x : si64
}

// Two returns, one of them in a loop: a switch behind it, which parses again.
// CHECK-LABEL: func.func @early_return
func.func @early_return(%a: !typed.array<1, f64, C>, %n: index, %x: f64) -> (index, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.while
  // CHECK: scf.index_switch
  // CHECK: return
  cf.br ^h(%c0 : index)
^h(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %v = typed.load %a[%k] : !typed.array<1, f64, C>, index -> f64
  %eq = typed.compare eq %v, %x : f64
  %k1 = arith.addi %k, %c1 : index
  cf.cond_br %eq, ^found, ^h(%k1 : index)
^found:
  return %k, %v : index, f64
^exit:
  return %n, %x : index, f64
}

// A loop without an end is followed by a return that nobody gets to.
// CHECK-LABEL: func.func @forever
func.func @forever(%c: i1) -> !typed.array<1, f64, C> {
  // CHECK: scf.while
  // CHECK: typed.raise_if %arg0, "ValueError"
  // CHECK: return %{{.*}} : !typed.array<1, f64, C>
  cf.br ^h
^h:
  typed.raise_if %c, "ValueError"
  cf.br ^h
}

// Two entries into one loop.
// CHECK-LABEL: func.func @irreducible
func.func @irreducible(%c: i1, %d: i1, %x: si64) -> si64 {
  // CHECK: scf.while
  cf.cond_br %c, ^a(%x : si64), ^b(%x : si64)
^a(%p: si64):
  %p1 = typed.binary add %p, %x : si64
  cf.br ^b(%p1 : si64)
^b(%q: si64):
  %q1 = typed.binary mul %q, %x : si64
  cf.cond_br %d, ^a(%q1 : si64), ^exit
^exit:
  return %q1 : si64
}

// Unreachable blocks go.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable(%x: si64) -> si64 {
  // CHECK-NEXT: return %arg0
  return %x : si64
^nowhere:
  cf.br ^nowhere
}

// Inside of a loop's body, and there in a loop without an end.
// CHECK-LABEL: func.func @execute_region
func.func @execute_region(%n: index, %c: i1, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %arg2)
  // CHECK-NEXT: scf.if %arg1
  // CHECK-NEXT: typed.binary mul
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %t = scf.execute_region -> f64 {
      cf.cond_br %c, ^some, ^none
    ^some:
      %m = typed.binary mul %s, %x : f64
      scf.yield %m : f64
    ^none:
      scf.yield %s : f64
    }
    %u = scf.execute_region -> f64 {
      cf.br ^again
    ^again:
      typed.raise_if %c, "ValueError"
      cf.br ^again
    }
    scf.yield %t : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @stencil
func.func @stencil(%a: !typed.array<1, f64, C>, %c: i1) -> !typed.array<1, f64, C> {
  // CHECK: stencil.apply
  // CHECK: scf.if
  // CHECK: stencil.return
  %r = stencil.apply(%a) {
  ^bb0(%x: !typed.array<1, f64, C>):
    %zero = typed.constant 0 : si64
    %v = stencil.access %x[%zero] : !typed.array<1, f64, C>, si64 -> f64
    cf.cond_br %c, ^more, ^done(%v : f64)
  ^more:
    %w = typed.binary add %v, %v : f64
    cf.br ^done(%w : f64)
  ^done(%y: f64):
    stencil.return %y : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}
