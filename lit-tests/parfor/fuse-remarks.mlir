// What was merged is told, too.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-fuse{remarks=1}))' -o /dev/null 2>&1 | FileCheck %s

!v = !typed.array<1, f64, C>

// CHECK: remark: fused with the loop of array_expr at f.py:7
// CHECK-NEXT: --> f.py:8:1
// CHECK-NOT: remark
func.func @norm(%a: !v, %n: index, %zero: f64) -> f64 {
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
  return %1 : f64
}
