// Loops over a prange that are left early are loops like any other; `parallel` warns of them.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for{parallel=true}))' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for))' | FileCheck %s

// CHECK-LABEL: func.func @broken
// CHECK-NOT: scf.for
func.func @broken(%n: si64, %c: i1) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range parallel (%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  // expected-warning @+1 {{run one after another: it is left by break or return}}
  cf.cond_br %c, ^exit, ^h
^exit:
  return
}

// CHECK-LABEL: func.func @caught_around
// CHECK-NOT: scf.for
func.func @caught_around(%n: si64, %c: i1) -> si64 {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %r = typed.range parallel (%zero, %n, %one) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^header
^header:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit(%zero : si64)
^body(%i: si64):
  // expected-warning @+1 {{what it raises is caught by a handler that needs what variables are at that point}}
  cf.cond_br %c, ^thrown, ^header
^thrown:
  %e = typed.exception "ValueError" : !typed.exception
  cf.br ^exit(%i : si64)
^exit(%last: si64):
  return %last : si64
}

// Not a prange, and one that isn't left.
// CHECK-LABEL: func.func @others
// CHECK: scf.for
func.func @others(%n: si64, %c: i1) {
  %c0 = typed.constant 0 : si64
  %c1 = typed.constant 1 : si64
  %r = typed.range (%c0, %n, %c1) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^h
^h:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^exit
^body(%i: si64):
  cf.cond_br %c, ^exit, ^h
^exit:
  %r2 = typed.range parallel (%c0, %n, %c1) : !typed.range<si64>
  %it2 = typed.iter %r2 : !typed.range<si64>
  cf.br ^h2
^h2:
  typed.for_iter %it2 : !typed.iter<!typed.range<si64>>, ^body2, ^end
^body2(%j: si64):
  cf.br ^h2
^end:
  return
}
