// Round trip of every operation of the parfor dialect.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s

// CHECK-LABEL: func.func @loops
func.func @loops(%n: index, %a: !typed.array<1, f64, C>, %zero: f64) {
  // CHECK: %{{.*}}:2 = parfor.loop(%{{.*}}) inits(%{{.*}} : f64) reductions [add] pattern array_expr fused [fill] {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  %r:2 = parfor.loop (%n) inits(%zero : f64) reductions [add] pattern array_expr fused [fill] {
  ^bb0(%i: index):
    %x = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
    // CHECK: parfor.yield %{{.*}}, %{{.*}} : f64, f64
    parfor.yield %x, %x : f64, f64
  // CHECK: } : !typed.array<1, f64, C>, f64
  } : !typed.array<1, f64, C>, f64
  // CHECK: parfor.loop serial(%{{.*}}, %{{.*}}) reductions [] pattern prange {
  parfor.loop serial (%n, %n) reductions [] pattern prange {
  ^bb0(%i: index, %j: index):
    typed.store %zero, %a[%j] : f64, !typed.array<1, f64, C>, index
  }
  // CHECK: parfor.loop(%{{.*}}) inits(%{{.*}}, %{{.*}} : f64, f64) reductions [npmin, npmax] pattern reduction "min" fused [array_expr, reduction "max"] {
  %m:2 = parfor.loop (%n) inits(%zero, %zero : f64, f64) reductions [npmin, npmax] pattern reduction "min" fused [array_expr, reduction "max"] {
  ^bb0(%i: index):
    parfor.yield %zero, %zero : f64, f64
  } : f64, f64
  // CHECK: parfor.launch @body(%{{.*}}) args(%{{.*}} : !typed.array<1, f64, C>) inits(%{{.*}} : f64) reductions [add] work(%{{.*}}) releasing(%{{.*}}#0 : !typed.array<1, f64, C>) : f64
  %s = parfor.launch @body(%n) args(%a : !typed.array<1, f64, C>) inits(%zero : f64) reductions [add] work(%n) releasing(%r#0 : !typed.array<1, f64, C>) : f64
  // CHECK: parfor.loop(%{{.*}}) inits(%{{.*}}, %{{.*}} : f64, f64) reductions [max, @larger.reduction] pattern prange {
  %t:2 = parfor.loop (%n) inits(%zero, %zero : f64, f64) reductions [max, @larger.reduction] pattern prange {
  ^bb0(%i: index):
    parfor.yield %zero, %zero : f64, f64
  } : f64, f64
  // CHECK: parfor.loop(%{{.*}}) inits({{.*}}) reductions [mul, min, and, or, xor] pattern stencil "border" {
  %v:5 = parfor.loop (%n) inits(%zero, %zero, %zero, %zero, %zero : f64, f64, f64, f64, f64) reductions [mul, min, and, or, xor] pattern stencil "border" {
  ^bb0(%i: index):
    parfor.yield %zero, %zero, %zero, %zero, %zero : f64, f64, f64, f64, f64
  } : f64, f64, f64, f64, f64
  // CHECK: parfor.launch @body(%{{.*}}) args(%{{.*}} : !typed.array<1, f64, C>) inits(%{{.*}} : f64) reductions [@larger.reduction] : f64
  %u = parfor.launch @body(%n) args(%a : !typed.array<1, f64, C>) inits(%zero : f64) reductions [@larger.reduction] : f64
  return
}

// CHECK: parfor.combiner @larger.reduction identity(@lowest) combine(@larger) pure
parfor.combiner @larger.reduction identity(@lowest) combine(@larger) pure
// CHECK: parfor.combiner "private" @other identity(@lowest) combine(@larger) {test.mark}
parfor.combiner "private" @other identity(@lowest) combine(@larger) {test.mark}

func.func private @lowest() -> f64
func.func private @larger(f64, f64) -> f64

func.func private @body(%lower: index, %upper: index, %a: !typed.array<1, f64, C>, %start: f64) -> f64 {
  return %start : f64
}

// What devices run.
// CHECK-LABEL: func.func @device(
// CHECK: parfor.offload "k" grid(%{{.*}}, %{{.*}}, %{{.*}}) block(%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}}, %{{.*}} : f64, !typed.array<1, f64, C>) access [0, 3] sites [{exception = "ValueError"}] releasing(%{{.*}} : !typed.array<1, f64, C>)
// CHECK-NEXT: parfor.offload "k" grid(%{{.*}}, %{{.*}}, %{{.*}}) split block(%{{.*}}, %{{.*}}, %{{.*}}) access []
// CHECK-NEXT: parfor.fence{{$}}
// CHECK-NEXT: parfor.fence write of(%{{.*}} : !typed.array<1, f64, C>) releasing(%{{.*}} : !typed.array<1, f64, C>)
// CHECK-NEXT: parfor.fence check
// CHECK-NEXT: parfor.fence write for_loop
// CHECK-NEXT: parfor.trap_if %{{.*}}, %{{.*}}, %{{.*}} : si32, !typed.pointer<si32>
// CHECK-NEXT: parfor.trap_if %{{.*}}, %{{.*}}, %{{.*}} with(%{{.*}} : si32) : si32, !typed.pointer<si32>
// CHECK-NEXT: parfor.enter_device "cuda:0" releasing(%{{.*}} : !typed.array<1, f64, C>)
// CHECK-NEXT: parfor.on_device "cuda"
// CHECK-NEXT: parfor.leave_device
func.func @device(%n: index, %x: f64, %a: !typed.array<1, f64, C>, %c: i1, %s: si32, %w: !typed.pointer<si32>) {
  parfor.offload "k" grid(%n, %n, %n) block(%n, %n, %n) args(%x, %a : f64, !typed.array<1, f64, C>)
    access [0, 3] sites [{exception = "ValueError"}] releasing(%a : !typed.array<1, f64, C>)
  parfor.offload "k" grid(%n, %n, %n) split block(%n, %n, %n) access []
  parfor.fence
  parfor.fence write of(%a : !typed.array<1, f64, C>) releasing(%a : !typed.array<1, f64, C>)
  parfor.fence check
  parfor.fence write for_loop
  parfor.trap_if %c, %s, %w : si32, !typed.pointer<si32>
  parfor.trap_if %c, %s, %w with (%s : si32) : si32, !typed.pointer<si32>
  parfor.enter_device "cuda:0" releasing(%a : !typed.array<1, f64, C>)
  %here = parfor.on_device "cuda"
  parfor.leave_device
  return
}
