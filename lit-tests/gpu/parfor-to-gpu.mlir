// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-to-gpu{remarks=1}))' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-to-gpu{libdevice=1}))' | FileCheck %s --check-prefix=LIBDEVICE

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f32, C>

// CHECK-LABEL: func.func @axpy(
// CHECK-SAME: %[[A:.*]]: f64, %[[X:.*]]: !typed.array<1, f64, C>, %[[Y:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: %[[BUSY:.*]] = arith.cmpi sgt, %[[N]], %{{.*}} : index
// CHECK: scf.if %[[BUSY]] {
// CHECK-NEXT:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%[[N]]) step (%{{.*}}) {
// CHECK-NEXT:     typed.load %[[X]][%[[I]]]
// CHECK:          typed.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:     scf.reduce
func.func @axpy(%a: f64, %x: !v, %y: !v, %n: index) {
  parfor.loop(%n) reductions [] pattern array_expr {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.binary mul %a, %0 : f64
    %2 = typed.load %y[%i] : !v, index -> f64
    %3 = typed.binary add %1, %2 : f64
    typed.store %3, %y[%i] : f64, !v, index
  }
  return
}

// CHECK-LABEL: func.func @matrix(
// CHECK: arith.andi
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {
func.func @matrix(%x: !m, %n: index, %m: index) {
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %0 = typed.load %x[%i, %j] : !m, index, index -> f32
    %1 = typed.unary neg %0 : f32
    typed.store %1, %x[%i, %j] : f32, !m, index, index
  }
  return
}

// Functions are libdevice's or the host's.

// CHECK-LABEL: func.func @functions(
// CHECK-NOT: scf.parallel
// LIBDEVICE-LABEL: func.func @functions(
// LIBDEVICE: scf.parallel
// LIBDEVICE: typed.unary sqrt
// LIBDEVICE: typed.binary floordiv
// LIBDEVICE: parfor.loop
// LIBDEVICE: typed.unary erf
func.func @functions(%x: !v, %n: index) {
  // expected-remark @+1 {{the loop stays on the host: 'typed.unary' with these operands doesn't run there}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.unary sqrt %0 : f64
    %2 = typed.binary floordiv %1, %0 : f64
    typed.store %2, %x[%i] : f64, !v, index
  }
  // expected-remark @+1 {{'typed.unary' with these operands doesn't run there}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    %1 = typed.unary erf %0 : f64
    typed.store %1, %x[%i] : f64, !v, index
  }
  return
}

// CHECK-LABEL: func.func @host(
// CHECK-NOT: scf.parallel
func.func @host(%a: !typed.array<1, f64, A>, %x: !v, %n: index, %zero: f64, %bad: i1) -> f64 {
  // expected-remark @+1 {{the loop stays on the host: it reduces}}
  %s = parfor.loop(%n) inits(%zero : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !v, index -> f64
    parfor.yield %0 : f64
  } : f64
  // expected-remark @+1 {{'typed.load' with these operands doesn't run there}}
  parfor.loop(%n) reductions [] pattern setitem {
  ^bb0(%i: index):
    %0 = typed.load %a[%i] : !typed.array<1, f64, A>, index -> f64
    typed.store %0, %x[%i] : f64, !v, index
  }
  // expected-remark @+1 {{'typed.raise_if' with these operands doesn't run there}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.raise_if %bad, "ValueError"("no")
  }
  return %s : f64
}
