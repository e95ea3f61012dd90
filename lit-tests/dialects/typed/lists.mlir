// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s --check-prefix=OWNED
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for))' | FileCheck %s --check-prefix=LOOP
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-range-to-for,typed-lift-control-flow,typed-insert-ownership),typed-to-memref)' | FileCheck %s --check-prefix=LOWERED

!l = !typed.list<f64>
!rows = !typed.list<!typed.array<1, f64, C>>

// CHECK-LABEL: func.func @made
// CHECK: typed.list_new : !typed.list<f64>
// CHECK: typed.list_reserve %{{.*}}, %{{.*}} : !typed.list<f64>
// CHECK: typed.list_push %{{.*}} to %{{.*}} : !typed.list<f64>
// CHECK: typed.list_len %{{.*}} : !typed.list<f64> -> si64
// A list is owned as an array is.
// OWNED-LABEL: func.func @made
// OWNED: %[[L:.*]] = typed.list_new
// OWNED: typed.raise_if {{.*}} releasing(%[[L]] : !typed.list<f64>)
// OWNED: typed.list_len
// OWNED-NEXT: typed.release %[[L]] : !typed.list<f64>
// LOWERED-LABEL: func.func @py.made
// LOWERED: %[[L:.*]] = call @pyopt_list_new(%{{.*}}, %{{.*}}) : (i64, i64) -> !llvm.ptr
// LOWERED: scf.if
// LOWERED:   call @pyopt_list_reserve(%[[L]],
func.func @made(%x: f64) -> si64 {
  %l = typed.list_new : !l
  %one = typed.constant 1 : si64
  %failed = typed.list_reserve %l, %one : !l
  typed.raise_if %failed, "MemoryError"
  typed.list_push %x to %l : !l
  %n = typed.list_len %l : !l -> si64
  return %n : si64
}

// An item that owns memory has a reference of its own; what a list is given it takes another one of.
// CHECK-LABEL: func.func @exchanged
// CHECK: typed.list_get %{{.*}}[%{{.*}} : si64] : !typed.list<!typed.array<1, f64, C>>
// CHECK: typed.list_set %{{.*}}, %{{.*}}[%{{.*}} : si64] : !typed.list<!typed.array<1, f64, C>>
// CHECK: typed.list_truncate %{{.*}}, %{{.*}} : !typed.list<!typed.array<1, f64, C>>
// OWNED-LABEL: func.func @exchanged
// OWNED: %[[A:.*]] = typed.list_get
// OWNED-NEXT: typed.list_set %[[A]]
// OWNED-NEXT: typed.release %[[A]]
// OWNED-NEXT: typed.list_truncate
// LOWERED-LABEL: func.func @py.exchanged
// LOWERED: call @pyopt_acquire
// LOWERED: call @pyopt_acquire
// LOWERED: call @pyopt_release
// LOWERED: call @pyopt_release
// LOWERED: call @pyopt_list_truncate
func.func @exchanged(%l: !rows, %i: si64, %j: si64) {
  %a = typed.list_get %l[%i : si64] : !rows
  typed.list_set %a, %l[%j : si64] : !rows
  typed.list_truncate %l, %j : !rows
  return
}

// CHECK-LABEL: func.func @grown
// CHECK: typed.list_grow %{{.*}}, %{{.*}} : !typed.list<f64>
// LOWERED-LABEL: func.func @py.grown
// LOWERED: %[[LENGTH:.*]] = llvm.load
// LOWERED-NEXT: %[[MORE:.*]] = arith.addi %[[LENGTH]], %arg1 : i64
// LOWERED: llvm.store %[[MORE]]
func.func @grown(%l: !l, %n: si64) {
  typed.list_grow %l, %n : !l
  return
}

// The length is asked for in each iteration: the list may change.
// LOOP-LABEL: func.func @gone_through
// LOOP: cf.br ^[[HEADER:bb[0-9]+]]
// LOOP: ^[[HEADER]]
// LOOP-NEXT: %[[N:.*]] = typed.list_len
// LOOP-NEXT: arith.cmpi slt, %{{.*}}, %[[N]]
// LOOP: typed.list_get
func.func @gone_through(%l: !l) -> f64 {
  %zero = typed.constant 0.0 : f64
  %it = typed.iter %l : !l
  cf.br ^header(%zero : f64)
^header(%sum: f64):
  typed.for_iter %it : !typed.iter<!typed.list<f64>>, ^body, ^end
^body(%x: f64):
  %next = typed.binary add %sum, %x : f64
  cf.br ^header(%next : f64)
^end:
  return %sum : f64
}
