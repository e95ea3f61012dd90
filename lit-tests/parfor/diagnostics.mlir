// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse,parfor-diagnostics))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse,parfor-diagnostics{level=3}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-diagnostics{level=4}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-diagnostics{level=5}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIVE

!v = !typed.array<1, f64, C>

// ONE: remark: loop #0 of norm: reduction sum over 1 dimension at f.py:8
// ONE-NEXT: --> f.py:8:1
// ONE-NOT: merged
// ONE: remark: loop #1 of norm: prange over 1 dimension at f.py:9
// ONE-NOT: remark:
// THREE: loop #0 of norm: reduction sum over 1 dimension at f.py:8; merged with array_expr at f.py:7; reduces by add
// FOUR: loop #0 of norm: array_expr over 1 dimension at f.py:7; makes !typed.array<1, f64, C>
// FOUR: loop #3 of norm: prange over 1 dimension at f.py:10, on one thread, inside of loop #2
// FOUR: loop #4 of norm: prange over 1 dimension at f.py:11, on one thread, inside of loop #2
// FIVE: error: {{.*}}the level of diagnostics is between 1 and 4, not 5
func.func @norm(%a: !v, %n: index, %zero: f64) -> f64 attributes {pyopt.function = "norm"} {
  %0 = parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !v, index -> f64
    %y = typed.binary mul %x, %x : f64
    parfor.yield %y : f64
  } : !v loc("f.py":7:1)
  %1 = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %x = typed.load %0[%i] : !v, index -> f64
    parfor.yield %x : f64
  } : f64 loc("f.py":8:1)
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.store %1, %a[%i] : f64, !v, index
    parfor.loop(%i) reductions [] pattern prange {
    ^bb0(%j: index):
    } loc("f.py":10:1)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %i step %c1 {
    } {pyopt.serial_prange} loc("f.py":11:1)
  } loc("f.py":9:1)
  return %1 : f64
}
