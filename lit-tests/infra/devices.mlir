// Devices of an extension: one that the host compiles for, and one with code, passes and conditions of its own.

// RUN: %extended-opt %s --pass-pipeline='builtin.module(parfor-to-gpu{device=tape remarks=true lacks=sin})' --verify-diagnostics | FileCheck %s --check-prefix=LOOPS
// RUN: %extended-opt %s --pass-pipeline='builtin.module(parfor-to-gpu{device=tape lacks=sin},builtin.module(typed-to-kernels{device=tape}))' | FileCheck %s --check-prefix=TAPE
// RUN: %extended-opt %s --pass-pipeline='builtin.module(parfor-to-gpu{device=twin},builtin.module(typed-to-kernels{device=twin}))' | FileCheck %s --check-prefix=TWIN
// RUN: not %extended-opt %s --pass-pipeline='builtin.module(parfor-to-gpu{device=abacus})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %extended-opt %s --typed-to-kernels=device=abacus 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %extended-opt --print-pipeline='typed-to-kernels{device=tape}' | FileCheck %s --check-prefix=PASSES

// RUN: %extended-opt --print-pipeline='py-gpu-pipeline{device=scribe}' | FileCheck %s --check-prefix=OUTLINE

// UNKNOWN: there is no device 'abacus': there are opencl, cuda, tape, twin, scribe

// OUTLINE: func.func(parfor-collapse-nests)
// OUTLINE-NEXT: example-count-ops{name=parfor.loop},parfor-to-gpu{fp64=false}
// OUTLINE-NEXT: parfor-insert-fences

// PASSES: expand-elementary{device=true library=false}
// PASSES-NOT: llvm-to-gpu
// PASSES-NOT: kernels-to-host
// PASSES: example-to-tape

// TAPE: module attributes {pyopt.device, pyopt.image = "[double_kernel0]"}
// TWIN: module attributes {pyopt.device, pyopt.image = "{{.*}}define void @double_kernel0(ptr %0, ptr %1)
// TWIN-SAME: define void @sines_kernel0(
// TWIN-SAME: define void @matrix_kernel0(

!v = !typed.array<1, f64, C>
!m = !typed.array<2, f64, C>

// LOOPS-LABEL: func.func @double(
// LOOPS: parfor.offload
func.func @double(%x: !v, %n: index) {
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %e = typed.load %x[%i] : !v, index -> f64
    %s = typed.binary add %e, %e : f64
    typed.store %s, %x[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// LOOPS-LABEL: func.func @sines(
// LOOPS-NOT: parfor.offload
func.func @sines(%x: !v, %n: index) {
  // expected-remark @+1 {{the loop stays on the host: 'typed.unary' is 'sin', which the device doesn't have}}
  parfor.loop(%n) reductions [] pattern prange {
  ^bb0(%i: index):
    %e = typed.load %x[%i] : !v, index -> f64
    %s = typed.unary sin %e : f64
    typed.store %s, %x[%i] : f64, !v, index
    parfor.yield
  }
  return
}

// LOOPS-LABEL: func.func @matrix(
// LOOPS-NOT: parfor.offload
func.func @matrix(%x: !m, %n: index) {
  // expected-remark @+1 {{the loop stays on the host: a tape has no 2 dimensions}}
  parfor.loop(%n, %n) reductions [] pattern prange {
  ^bb0(%i: index, %j: index):
    %e = typed.load %x[%i, %j] : !m, index, index -> f64
    typed.store %e, %x[%j, %i] : f64, !m, index, index
    parfor.yield
  }
  return
}
