// RUN: %pyopt %s --parfor-insert-fences | FileCheck %s

!v = !typed.array<1, f64, C>

// An array that a kernel may have changed is read behind a fence of it, once.
// CHECK-LABEL: func.func @reads(
// CHECK-SAME: %[[X:.*]]: !typed.array
// CHECK: parfor.offload
// CHECK-NEXT: parfor.fence of(%[[X]] : !typed.array<1, f64, C>)
// CHECK-NEXT: typed.load %[[X]]
// CHECK-NEXT: typed.load %[[X]]
// CHECK-NEXT: typed.binary
// CHECK-NEXT: parfor.fence write of(%[[X]] : !typed.array<1, f64, C>)
// CHECK-NEXT: typed.store
// CHECK-NEXT: typed.load
// CHECK-NEXT: parfor.offload
// CHECK-NEXT: parfor.fence of
// CHECK-NEXT: typed.load
func.func @reads(%x: !v, %i: index, %one: index) -> f64 {
  parfor.offload "k" grid(%i, %one, %one) block(%one, %one, %one) args(%x : !v) access [3]
  %0 = typed.load %x[%i] : !v, index -> f64
  %1 = typed.load %x[%one] : !v, index -> f64
  %2 = typed.binary add %0, %1 : f64
  typed.store %2, %x[%i] : f64, !v, index
  %3 = typed.load %x[%i] : !v, index -> f64
  parfor.offload "k" grid(%i, %one, %one) block(%one, %one, %one) args(%x : !v) access [3]
  %4 = typed.load %x[%i] : !v, index -> f64
  return %4 : f64
}

// What the host passes may be on the device before there is a kernel; a loop has its fence before it,
// and memory that it allocates itself needs none.
// CHECK-LABEL: func.func @before(
// CHECK-SAME: %[[X:.*]]: !typed.array
// CHECK: parfor.fence write of(%[[X]] : !typed.array<1, f64, C>)
// CHECK-NEXT: scf.for
// CHECK-NOT: parfor.fence
// CHECK: return
func.func @before(%x: !v, %n: index, %zero: index, %one: index) attributes {pyopt.entry} {
  scf.for %i = %zero to %n step %one {
    %0 = typed.load %x[%i] : !v, index -> f64
    %own = typed.empty(%one) : (index) -> !v
    typed.store %0, %own[%zero] : f64, !v, index
    typed.store %0, %x[%i] : f64, !v, index
  }
  return
}

// Nothing is on the device where functions are called that have no kernels.
// CHECK-LABEL: func.func @inner(
// CHECK-NOT: parfor.fence
// CHECK: return
func.func @inner(%x: !v, %i: index) -> f64 {
  %0 = typed.load %x[%i] : !v, index -> f64
  return %0 : f64
}

// A loop with kernels: what the last iteration left is looked at in the next one.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:.*]]: !typed.array
// CHECK: scf.for
// CHECK-NEXT: parfor.fence of(%[[X]] : !typed.array<1, f64, C>)
// CHECK-NEXT: typed.load
// CHECK-NEXT: parfor.offload
// CHECK: parfor.fence write
// CHECK-NEXT: typed.call @inner
func.func @loop(%x: !v, %n: index, %zero: index, %one: index) {
  scf.for %i = %zero to %n step %one {
    %0 = typed.load %x[%i] : !v, index -> f64
    parfor.offload "k" grid(%i, %one, %one) block(%one, %one, %one) args(%x : !v) access [3]
  }
  %1 = typed.call @inner(%x, %zero) : (!v, index) -> f64
  return
}

// An exception of a kernel leaves the function that ran it.
// CHECK-LABEL: func.func @raises(
// CHECK: parfor.offload
// CHECK-NEXT: parfor.fence check
// CHECK-NEXT: return
func.func @raises(%x: !v, %i: index, %one: index) {
  parfor.offload "k" grid(%i, %one, %one) block(%one, %one, %one) args(%x : !v) access [3]
    sites [{exception = "ValueError", message = "no"}]
  return
}

// A parallel loop that the host runs has a fence that says what it is for.
// CHECK-LABEL: func.func @host_loop(
// CHECK: parfor.fence write of(%{{.*}} : !typed.array<1, f64, C>) for_loop
// CHECK-NEXT: parfor.loop
func.func @host_loop(%x: !typed.array<1, f64, C>, %n: index, %value: f64) attributes {pyopt.entry} {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    typed.store %value, %x[%i] : f64, !typed.array<1, f64, C>, index
  }
  return
}
