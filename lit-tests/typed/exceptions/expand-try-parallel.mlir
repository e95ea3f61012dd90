// A prange loop in a try becomes a function, whose call is what the try is about.
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-expand-try{parallel=true})' --split-input-file | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-expand-try)' --split-input-file | FileCheck %s --check-prefix=SERIAL

!v = !typed.array<1, f64, C>

// CHECK-LABEL: func.func @total
// SERIAL-LABEL: func.func @total
// SERIAL-NOT: prange.1
func.func @total(%a: !v, %n: si64, %start: f64) -> f64 {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %r = typed.range parallel(%zero, %n, %one) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^header(%start : f64)
// CHECK: ^bb1(%[[T:.*]]: f64):
// CHECK-NEXT: %[[S:.*]], %[[SUM:.*]] = typed.try_call @total.prange.1(%[[T]], %{{.*}}) : (f64, {{.*}}) -> (i32, f64)
// CHECK: cf.cond_br %{{.*}}, ^[[THROWN:bb[0-9]+]], ^[[REST:bb[0-9]+]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: cf.br ^[[END:bb[0-9]+]]
// CHECK: ^[[END]]:
// CHECK-NEXT: return %[[SUM]]
// CHECK: ^[[THROWN]]:
// CHECK-NEXT: typed.catch %[[S]]
^header(%t: f64):
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^end
^body(%i: si64):
  %x = typed.load %a[%i] : !v, si64 -> f64
  %bad = typed.compare lt %x, %start : f64
  cf.cond_br %bad, ^thrown, ^add
^thrown:
  %e = typed.exception "ValueError"("negative") : !typed.exception
  cf.br ^landing(%e : !typed.exception)
^add:
  %y = typed.call @checked(%x) : (f64) -> f64
  %u = typed.binary add %t, %y : f64
  typed.try_br ^header(%u : f64) unwind ^other_landing
^end:
  return %t : f64
^landing(%e1: !typed.exception):
  cf.br ^handler(%e1 : !typed.exception)
^other_landing(%e2: !typed.exception):
  cf.br ^handler(%e2 : !typed.exception)
^handler(%e3: !typed.exception):
  return %start : f64
}

func.func private @checked(f64) -> f64

// CHECK: func.func private @total.prange.1
// CHECK: typed.range parallel
// CHECK: typed.for_iter
// CHECK-NOT: typed.try_call
// CHECK: typed.call @checked
// CHECK: typed.exception "ValueError"("negative")
// CHECK-NEXT: typed.raise_value

// -----

// The handler needs the sum as it was when an iteration raised.
// CHECK-LABEL: func.func @sum_so_far
// CHECK: typed.for_iter
// CHECK-NOT: func.func private
func.func @sum_so_far(%n: si64, %c: i1) -> si64 {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %r = typed.range parallel(%zero, %n, %one) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^header(%zero : si64)
^header(%t: si64):
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^end
^body(%i: si64):
  %u = typed.binary add %t, %i : si64
  typed.raise_if %c, "ValueError"
  typed.try_br ^header(%u : si64) unwind ^landing
^end:
  return %t : si64
^landing(%e: !typed.exception):
  cf.br ^handler(%t, %e : si64, !typed.exception)
^handler(%s: si64, %e1: !typed.exception):
  return %s : si64
}

// -----

// Two handlers, and a loop that nothing leaves.
// CHECK-LABEL: func.func @others
// CHECK: typed.for_iter
// CHECK: typed.for_iter
// CHECK-NOT: func.func private
func.func @others(%n: si64, %c: i1) {
  %zero = typed.constant 0 : si64
  %one = typed.constant 1 : si64
  %r = typed.range parallel(%zero, %n, %one) : !typed.range<si64>
  %it = typed.iter %r : !typed.range<si64>
  cf.br ^header
^header:
  typed.for_iter %it : !typed.iter<!typed.range<si64>>, ^body, ^next
^body(%i: si64):
  typed.raise_if %c, "ValueError"
  typed.try_br ^more unwind ^first
^more:
  typed.raise_if %c, "KeyError"
  typed.try_br ^header unwind ^second
^next:
  %r2 = typed.range parallel(%zero, %n, %one) : !typed.range<si64>
  %it2 = typed.iter %r2 : !typed.range<si64>
  cf.br ^header2
^header2:
  typed.for_iter %it2 : !typed.iter<!typed.range<si64>>, ^body2, ^end
^body2(%j: si64):
  cf.br ^header2
^end:
  return
^first(%e1: !typed.exception):
  return
^second(%e2: !typed.exception):
  %t = typed.exc_match %e2 in ["KeyError"] : !typed.exception
  cf.br ^end
}
