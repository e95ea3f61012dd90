// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(typed-check-recursion)' | FileCheck %s

// One check serves both calls: the second one starts from the same frame.
// CHECK-LABEL: func.func @twice
func.func @twice(%x: si64) -> si64 {
  // CHECK: %[[FULL:.*]] = typed.stack_exhausted
  // CHECK-NEXT: typed.raise_if %[[FULL]], "RecursionError"("maximum recursion depth exceeded")
  // CHECK-NEXT: typed.call @twice
  // CHECK-NEXT: typed.call @twice
  // CHECK-NEXT: return
  %0 = typed.call @twice(%x) : (si64) -> si64
  %1 = typed.call @twice(%0) : (si64) -> si64
  return %1 : si64
}

// -----

// In branches of a conditional neither call comes first; the check in the loop is before the call
// in it, and what is behind the loop needs its own, as the loop may not run.
// CHECK-LABEL: func.func @structured
func.func @structured(%c: i1, %n: index, %x: si64) -> si64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.if
  // CHECK-NEXT: typed.stack_exhausted
  // CHECK-NEXT: typed.raise_if
  // CHECK-NEXT: typed.call
  // CHECK: else
  // CHECK-NEXT: typed.stack_exhausted
  // CHECK-NEXT: typed.raise_if
  // CHECK-NEXT: typed.call
  %0 = scf.if %c -> si64 {
    %a = typed.call @structured(%c, %n, %x) : (i1, index, si64) -> si64
    scf.yield %a : si64
  } else {
    %b = typed.call @structured(%c, %one, %x) : (i1, index, si64) -> si64
    scf.yield %b : si64
  }
  // CHECK: scf.for
  // CHECK-NEXT: typed.stack_exhausted
  // CHECK-NEXT: typed.raise_if
  // CHECK-NEXT: typed.call
  %1 = scf.for %i = %zero to %n step %one iter_args(%s = %0) -> si64 {
    %c2 = typed.call @structured(%c, %i, %s) : (i1, index, si64) -> si64
    scf.yield %c2 : si64
  }
  // CHECK: typed.stack_exhausted
  // CHECK-NEXT: typed.raise_if
  // CHECK-NEXT: typed.call
  // CHECK-NEXT: return
  %2 = typed.call @structured(%c, %n, %1) : (i1, index, si64) -> si64
  return %2 : si64
}

// -----

// Of functions that call each other each checks; what they call beside does not.
// CHECK-LABEL: func.func @even
// CHECK: typed.stack_exhausted
// CHECK: typed.call @odd
func.func @even(%x: si64) -> i1 {
  %0 = typed.call @odd(%x) : (si64) -> i1
  return %0 : i1
}
// CHECK-LABEL: func.func @odd
// CHECK-NEXT: typed.call @leaf
// CHECK-NEXT: typed.stack_exhausted
// CHECK-NEXT: typed.raise_if
// CHECK-NEXT: typed.call @even
func.func @odd(%x: si64) -> i1 {
  %0 = typed.call @leaf(%x) : (si64) -> si64
  %1 = typed.call @even(%0) : (si64) -> i1
  return %1 : i1
}
// CHECK-LABEL: func.func @leaf
// CHECK-NOT: typed.stack_exhausted
func.func @leaf(%x: si64) -> si64 {
  return %x : si64
}

// -----

// A call of a recursive function from outside of the cycle is not part of it.
// CHECK-LABEL: func.func @outside
// CHECK-NOT: typed.stack_exhausted
// CHECK: typed.call @inside
func.func @outside(%x: si64) -> si64 {
  %0 = typed.call @inside(%x) : (si64) -> si64
  return %0 : si64
}
// CHECK-LABEL: func.func @inside
// CHECK: typed.stack_exhausted
func.func @inside(%x: si64) -> si64 {
  %0 = typed.call @inside(%x) : (si64) -> si64
  return %0 : si64
}

// -----

// The body of a parallel loop that calls the function which launches it closes a cycle too.
// CHECK-LABEL: func.func @launcher
// CHECK-NOT: typed.stack_exhausted
// CHECK: parfor.launch
func.func @launcher(%n: index, %a: !typed.array<1, f64, C>) {
  parfor.launch @body(%n) args(%a : !typed.array<1, f64, C>) reductions []
  return
}
// CHECK-LABEL: func.func private @body
// CHECK: typed.stack_exhausted
// CHECK-NEXT: typed.raise_if
// CHECK-NEXT: typed.call @launcher
func.func private @body(%low: index, %high: index, %a: !typed.array<1, f64, C>) {
  typed.call @launcher(%low, %a) : (index, !typed.array<1, f64, C>) -> ()
  return
}

// -----

// A call whose errors are looked at sees that of the check, too.
// CHECK-LABEL: func.func @catching
// CHECK-NOT: typed.stack_exhausted
// CHECK: typed.try_call @catching.checked(%arg0) : (si64) -> (i32, si64)
func.func @catching(%x: si64) -> si64 attributes {pyopt.function = "f"} {
  %s, %r = typed.try_call @catching(%x) : (si64) -> (i32, si64)
  return %r : si64
}
// CHECK-LABEL: func.func private @catching.checked(
// CHECK-SAME: pyopt.function = "f"
// CHECK-NEXT: %[[FULL:.*]] = typed.stack_exhausted
// CHECK-NEXT: typed.raise_if %[[FULL]], "RecursionError"("maximum recursion depth exceeded")
// CHECK-NEXT: %[[R:.*]] = typed.call @catching(%arg0) : (si64) -> si64
// CHECK-NEXT: return %[[R]]
