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

// An instance takes the reference of its fields; of a pair it isn't clear whose there is to take.
!fields = !typed.list<tuple<si64>>
!instance = !typed.sequence<tuple<!fields>, #py.named_tuple<"C", 0, [".&structure"]>>
// CHECK-LABEL: @instance
func.func @instance(%a: !fields, %b: !fields) -> (!instance, tuple<!fields, !fields>) {
  // CHECK: typed.as_sequence
  // CHECK-NEXT: typed.tuple(%arg0, %arg1)
  // CHECK-NEXT: typed.acquire
  // CHECK-NEXT: typed.release %arg1
  // CHECK-NEXT: return
  %t = typed.tuple(%a) : tuple<!fields>
  %i = typed.as_sequence %t : !instance
  typed.acquire %i : !instance
  typed.release %a : !fields
  %p = typed.tuple(%a, %b) : tuple<!fields, !fields>
  typed.acquire %p : tuple<!fields, !fields>
  typed.release %b : !fields
  func.return %i, %p : !instance, tuple<!fields, !fields>
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

!l = !typed.list<!typed.str>

// What is put into a list right before it is released takes its reference along.
// CHECK-LABEL: @handed_over
func.func @handed_over(%l: !l, %s: !typed.str) -> index {
  // CHECK: typed.list_push %arg1 to %arg0 {handed_over}
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: return
  typed.list_push %s to %l : !l
  %c0 = arith.constant 0 : index
  typed.release %s : !typed.str
  func.return %c0 : index
}

// One of two is kept.
// CHECK-LABEL: @kept
func.func @kept(%l: !l, %s: !typed.str, %t: !typed.str) {
  // CHECK: typed.list_push %arg1, %arg2 to %arg0 : !typed.list
  // CHECK-NEXT: typed.release %arg1
  typed.list_push %s, %t to %l : !l
  typed.release %s : !typed.str
  func.return
}

// The list has two references, and there is one.
// CHECK-LABEL: @twice
func.func @twice(%l: !l, %s: !typed.str) {
  // CHECK: typed.list_push %arg1, %arg1 to %arg0 : !typed.list
  // CHECK-NEXT: typed.release %arg1
  typed.list_push %s, %s to %l : !l
  typed.release %s : !typed.str
  func.return
}

// The item may be gone when the list is truncated.
// CHECK-LABEL: @dropped
func.func @dropped(%l: !l, %s: !typed.str, %n: si64) {
  // CHECK: typed.list_push %arg1 to %arg0 : !typed.list
  // CHECK-NEXT: typed.list_truncate
  // CHECK-NEXT: typed.release
  typed.list_push %s to %l : !l
  typed.list_truncate %l, %n : !l
  typed.release %s : !typed.str
  func.return
}
