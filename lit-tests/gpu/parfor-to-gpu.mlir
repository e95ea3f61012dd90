// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-gpu{remarks=1 lacks=erfc})' --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-gpu{fp64=false})' | FileCheck %s --check-prefix=SINGLE
// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-gpu{device=cuda chosen=true})' | FileCheck %s --check-prefix=CHOSEN

!v = !typed.array<1, f64, C>
!s = !typed.array<1, f64, A>
!m = !typed.array<2, f32, C>
!r = !typed.array<1, !typed.record<"void", 8, [["a", 0, f64]]>, bytes>

// Double precision is on few devices.
// SINGLE-LABEL: func.func @axpy(
// SINGLE-NEXT: parfor.loop
// SINGLE-LABEL: func.func @matrix(
// SINGLE: parfor.offload

// Where contexts choose the device, the host keeps its version of a loop.
// CHOSEN-LABEL: func.func @axpy(
// CHOSEN-NEXT: %[[HERE:.*]] = parfor.on_device "cuda"
// CHOSEN-NEXT: scf.if %[[HERE]] {
// CHOSEN: parfor.offload "axpy_kernel0"
// CHOSEN: } else {
// CHOSEN-NEXT: parfor.loop
// CHOSEN-LABEL: func.func @sum(
// CHOSEN: %[[SUM:.*]] = scf.if %{{.*}} -> (f64) {
// CHOSEN: parfor.offload
// CHOSEN: scf.yield
// CHOSEN: } else {
// CHOSEN-NEXT: %[[TOTAL:.*]] = parfor.loop
// CHOSEN: scf.yield %[[TOTAL]] : f64
// CHOSEN: return %[[SUM]]

// A number is passed as it is, an array with its sizes.
// CHECK-LABEL: func.func @axpy(
// CHECK-SAME: %[[A:.*]]: f64, %[[X:.*]]: !typed.array<1, f64, C>, %[[Y:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index)
// CHECK: arith.maxsi %[[N]]
// CHECK: %[[BLOCKS:.*]] = arith.divui
// CHECK: %[[X0:.*]] = typed.dim %[[X]][0]
// CHECK: %[[Y0:.*]] = typed.dim %[[Y]][0]
// CHECK: parfor.offload "axpy_kernel0" grid(%[[BLOCKS]], %{{.*}}, %{{.*}}) block(%c256, %{{[^,]*}}, %{{[^,]*}})
// CHECK-SAME: args(%[[N]], %[[X]], %[[X0]], %[[A]], %[[Y]], %[[Y0]] : index, !typed.array<1, f64, C>, index, f64, !typed.array<1, f64, C>, index) access [0, 1, 0, 0, 3, 0]
// CHECK-NEXT: return
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

// Columns are neighbours; an array that is made for the loop is written completely.
// CHECK-LABEL: func.func @matrix(
// CHECK: %[[X:.*]] = arith.select %{{.*}}, %c5{{.*}}
// CHECK: %[[Y:.*]] = arith.subi %c8{{.*}}, %[[X]]
// CHECK: %[[COLUMNS:.*]] = arith.shli %{{.*}}, %[[X]]
// CHECK: arith.shrui %{{.*}}, %[[X]]
// CHECK: %[[ROWS:.*]] = arith.shli %{{.*}}, %[[Y]]
// CHECK: arith.shrui %{{.*}}, %[[Y]]
// CHECK: parfor.offload "matrix_kernel0" {{.*}} split block(%[[COLUMNS]], %[[ROWS]], %{{[^,]*}})
// CHECK-SAME: access [0, 0, 1, 0, 0, 14, 0, 0]
func.func @matrix(%x: !m, %n: index, %m: index) -> !m {
  %made = typed.empty(%n, %m) : (index, index) -> !m
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %0 = typed.load %x[%i, %j] : !m, index, index -> f32
    %1 = typed.unary neg %0 : f32
    typed.store %1, %made[%i, %j] : f32, !m, index, index
  }
  return %made : !m
}

!f = !typed.array<2, f32, F>
func.func @columns(%x: !f, %n: index, %m: index, %value: f32) {
  parfor.loop(%n, %m) reductions [] pattern prange {
  ^bb0(%i: index, %j: index):
    typed.store %value, %x[%i, %j] : f32, !f, index, index
  }
  return
}

// Two slices are likely to have the same strides.
// CHECK-LABEL: func.func @slices(
// CHECK: %[[S0:.*]] = typed.stride %[[A:.*]][0]
// CHECK: arith.cmpi eq, %{{.*}}, %c4
// CHECK: arith.cmpi eq, %{{.*}}, %[[S0]]
// CHECK: scf.if
// CHECK: typed.strided %[[A]]
// CHECK: parfor.offload "slices_kernel0"
// CHECK: } else {
// CHECK: parfor.offload "slices_kernel1"
!a = !typed.array<2, f32, A>
func.func @slices(%x: !a, %y: !a, %n: index, %m: index) {
  parfor.loop(%n, %m) reductions [] pattern setitem {
  ^bb0(%i: index, %j: index):
    %0 = typed.load %x[%i, %j] : !a, index, index -> f32
    typed.store %0, %y[%i, %j] : f32, !a, index, index
  }
  return
}

// Every thread has a place for its result. A second kernel makes fewer of them, which the host combines.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[INIT:[^:]*]]: f64) -> f64
// CHECK: %[[MANY:.*]] = typed.empty(%{{.*}}) : (index) -> !typed.array<1, f64, C>
// CHECK: parfor.offload "sum_kernel0" {{.*}} access [0, 1, 0, 10, 0]
// CHECK: %[[FEW:.*]] = typed.empty(%{{.*}}) : (index) -> !typed.array<1, f64, C>
// CHECK: parfor.offload "sum_kernel1" {{.*}} access [0, 1, 0, 10, 0]
// CHECK: %[[THREADS:.*]] = typed.dim %[[FEW]][0]
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[THREADS]] step %{{.*}} iter_args(%[[BEFORE:.*]] = %[[INIT]])
// CHECK-NEXT: %[[VALUE:.*]] = typed.load %[[FEW]][%[[T]]]
// CHECK-NEXT: typed.binary add %[[BEFORE]], %[[VALUE]]
func.func @sum(%x: !v, %n: index, %init: f64) -> f64 {
  %0 = parfor.loop(%n) inits(%init : f64) reductions [add] pattern reduction "sum" {
  ^bb0(%i: index):
    %1 = typed.load %x[%i] : !v, index -> f64
    parfor.yield %1 : f64
  } : f64
  return %0 : f64
}

// What is raised is a site; strides are passed in elements.
// CHECK-LABEL: func.func @raises(
// CHECK: parfor.offload "raises_kernel0" {{.*}} sites [{exception = "ZeroDivisionError", location = {{.*}}, message = "division by zero"}]
func.func @raises(%x: !s, %n: index, %zero: f64) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %0 = typed.load %x[%i] : !s, index -> f64
    %1 = typed.compare eq %0, %zero : f64
    typed.raise_if %1, "ZeroDivisionError"("division by zero")
    typed.store %zero, %x[%i] : f64, !s, index
  }
  return
}

// So are the numbers in its message.
// CHECK-LABEL: func.func @raises_with_numbers(
// CHECK: parfor.offload "raises_with_numbers_kernel0" {{.*}} sites [{exception = "IndexError", location = {{.*}}, message = "index {} of {}", values = 2 : i64}]
func.func @raises_with_numbers(%n: index, %bad: i1, %i: si64) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.binary pow %i, %i : si64
    typed.raise_if %bad, "IndexError"("index {} of {}") with (%i, %0 : si64, si64)
  }
  return
}

// CHECK-LABEL: func.func @host(
// CHECK-NOT: parfor.offload
func.func @host(%r: !r, %x: !v, %n: index, %i: si64, %z: complex<f64>, %bad: i1, %text: !typed.str) {
  // expected-remark @+1 {{the loop stays on the host: a value of type}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.dim %r[0] : !r -> index
  }
  // expected-remark @+1 {{'typed.call' may do anything}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.call @called(%x) : (!v) -> f64
  }
  // expected-remark @+1 {{'typed.empty' allocates memory}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.empty(%j) : (index) -> !v
  }
  // expected-remark @+1 {{'typed.raise_if' has more than 15 values in its message}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    typed.raise_if %bad, "IndexError"("{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}") with (%i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i : si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64, si64)
  }
  // expected-remark @+1 {{'typed.binary' with these operands is a call of the host}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.binary pow %z, %z : complex<f64>
  }
  // expected-remark @+1 {{'typed.unary' is 'erfc', which the device doesn't have}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%j: index):
    %0 = typed.load %x[%j] : !v, index -> f64
    %1 = typed.unary erfc %0 : f64
    typed.store %1, %x[%j] : f64, !v, index
  }
  return
}

// What threads of the host call stays there, too.
func.func @called(%x: !v) -> f64 {
  %n = typed.dim %x[0] : !v -> index
  %zero = typed.constant 0.0 : f64
  // expected-remark @+1 {{threads of the host call the function}}
  parfor.loop(%n) reductions [] pattern fill {
  ^bb0(%j: index):
    typed.store %zero, %x[%j] : f64, !v, index
  }
  return %zero : f64
}

// CHECK: module attributes {pyopt.device} {
// CHECK-LABEL: func.func @axpy_kernel0(
// CHECK-SAME: %[[N:.*]]: index, %[[P:.*]]: !typed.pointer<ui8>, %[[OFFSET:.*]]: si64, %[[X0:.*]]: index, %[[A:.*]]: f64,
// CHECK-SAME: attributes {pyopt.device} {
// CHECK-DAG: %[[BYTES:.*]] = typed.pointer_array %[[P]][%[[OFFSET]]](%{{.*}})
// CHECK-DAG: %[[ADDRESS:.*]] = typed.address %[[BYTES]]
// CHECK-DAG: %[[ELEMENTS:.*]] = typed.address_cast %[[ADDRESS]]
// CHECK-DAG: %[[X:.*]] = typed.pointer_array %[[ELEMENTS]][%{{.*}}](%[[X0]])
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c256{{.*}} : index
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[THREAD]] : index
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK: scf.if %[[EXISTS]] {
// CHECK-NEXT:   typed.load %[[X]][%[[I]]]

// Rows are those of y, of which there may be more blocks than devices take.
// CHECK-LABEL: func.func @matrix_kernel0(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, {{.*}}, %[[FIRST_Y:[^:]*]]: index, %[[FIRST_Z:[^:]*]]: index)
// CHECK-DAG: %[[COLUMNS:.*]] = gpu.block_dim x
// CHECK-DAG: %[[ROWS:.*]] = gpu.block_dim y
// CHECK-DAG: gpu.block_id x
// CHECK-DAG: %[[Y:.*]] = gpu.block_id y
// CHECK: %[[BLOCK_Y:.*]] = arith.addi %[[FIRST_Y]], %[[Y]]
// CHECK: arith.muli %[[BLOCK_Y]], %[[ROWS]]
// CHECK: arith.cmpi slt, %[[I:.*]], %[[N]]
// CHECK-NEXT: scf.if
// CHECK: arith.cmpi slt, %[[J:.*]], %[[M]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: typed.load %{{.*}}[%[[I]], %[[J]]]

// Columns of an array in Fortran's order are neighbours in the first dimension.
// CHECK-LABEL: func.func @columns_kernel0(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index,
// CHECK-DAG: gpu.thread_id x
// CHECK: arith.cmpi slt, %[[I:.*]], %[[N]]
// CHECK: arith.cmpi slt, %[[J:.*]], %[[M]]
// CHECK: typed.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]

// One kernel takes the strides that slices of arrays of a shape share, the other one those of each.
// CHECK-LABEL: func.func @slices_kernel0(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %{{[^:]*}}: !typed.pointer<ui8>, %{{[^:]*}}: si64, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[S:[^:]*]]: index, %{{[^:]*}}: !typed.pointer<ui8>, %{{[^:]*}}: si64, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index)
// CHECK: typed.strided {{.*}} strides(%[[S]], %c1{{.*}})
// CHECK: typed.strided {{.*}} strides(%[[S]], %c1{{.*}})
// CHECK-LABEL: func.func @slices_kernel1(

// CHECK-LABEL: func.func @sum_kernel0(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK: typed.store %[[SUM]], %{{.*}}[%{{.*}}]

// CHECK-LABEL: func.func @raises_kernel0(
// CHECK-SAME: %[[STATUS:[^:]*]]: si32, %[[WORD:[^:]*]]: !typed.pointer<si32>)
// CHECK: typed.strided
// CHECK: parfor.trap_if %{{.*}}, %[[STATUS]], %[[WORD]]

// CHECK-LABEL: func.func @raises_with_numbers_kernel0(
// CHECK: parfor.trap_if %{{.*}}, %{{.*}}, %{{.*}} with(%{{.*}}, %{{.*}} : si64, si64) : si32, !typed.pointer<si32>
