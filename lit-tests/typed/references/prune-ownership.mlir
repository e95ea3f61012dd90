// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-prune-ownership))' | FileCheck %s

!a = !typed.array<1, f64, C>

// The view takes the reference of what it is a view of.
// CHECK-LABEL: @view
func.func @view(%n: si64) -> !a {
  // CHECK: typed.with_shape
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %a = typed.empty(%n) : (si64) -> !a
  %v = typed.with_shape %a[%c0] : !a
  typed.acquire %v : !a
  typed.release %a : !a
  func.return %v : !a
}

// CHECK-LABEL: @among_others
func.func @among_others(%a: !a, %b: !a) {
  // CHECK-NEXT: typed.release %arg1
  // CHECK-NEXT: return
  typed.acquire %a : !a
  typed.release %b : !a
  typed.release %a : !a
  func.return
}

// Not the same owner for sure.
// CHECK-LABEL: @another
func.func @another(%a: !a, %b: !a, %c: i1) {
  // CHECK: typed.acquire
  // CHECK-NEXT: typed.release
  %s = arith.select %c, %a, %b : !a
  typed.acquire %s : !a
  typed.release %a : !a
  func.return
}

// What may raise between them counts on the reference.
// CHECK-LABEL: @between
func.func @between(%a: !a, %c: i1) {
  // CHECK: typed.acquire
  // CHECK: typed.release
  typed.acquire %a : !a
  typed.raise_if %c, "ValueError"("no") releasing(%a : !a)
  typed.release %a : !a
  func.return
}
