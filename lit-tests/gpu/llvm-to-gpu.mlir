// RUN: %pyopt %s --pass-pipeline='builtin.module(llvm-to-gpu{code=spirv})' | FileCheck %s --check-prefix=OPENCL
// RUN: %pyopt %s --pass-pipeline='builtin.module(llvm-to-gpu{code=ptx})' | FileCheck %s --check-prefix=CUDA
// RUN: not %pyopt %s --pass-pipeline='builtin.module(llvm-to-gpu{code=beads})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: there is no code 'beads': it is spirv or ptx

// Pointers that a kernel gets, and those computed of them, are global; those of the stack are not.
// OPENCL: gpu.module @kernels {
// OPENCL: llvm.func spir_kernelcc @kernel(%[[P:.*]]: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: f64) attributes {gpu.kernel} {
// OPENCL: llvm.alloca %{{.*}} x f64 : (i64) -> !llvm.ptr
// OPENCL: llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
// OPENCL: llvm.call spir_funccc @_Z3erfd(
// OPENCL: llvm.call spir_funccc @_Z5hypotff(
// OPENCL: llvm.call spir_funccc @_Z12get_group_idj(
// OPENCL: llvm.call spir_funccc @_Z14get_local_sizej(
// OPENCL: llvm.func internal @helper(
// OPENCL: llvm.func spir_funccc @_Z3erfd(f64) -> f64

// CUDA: gpu.module @kernels {
// CUDA: llvm.func @kernel({{.*}}: !llvm.ptr<1>, {{.*}}) attributes {gpu.kernel, nvvm.kernel} {
// CUDA: llvm.call @erf(
// CUDA: nvvm.read.ptx.sreg.ctaid.x : i32
// CUDA: nvvm.read.ptx.sreg.ntid.x : i32
llvm.func @kernel(%p: !llvm.ptr, %i: i64, %x: f64) attributes {pyopt.device} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %single = llvm.mlir.constant(1.0 : f32) : f32
  %own = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %y = llvm.call @erf(%x) : (f64) -> f64
  %h = llvm.call @hypotf(%single, %single) : (f32, f32) -> f32
  %block = gpu.block_id x
  %threads = gpu.block_dim x
  %first = index.mul %block, %threads
  %number = builtin.unrealized_conversion_cast %first : index to i64
  %r = llvm.getelementptr %q[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  llvm.store %y, %r : f64, !llvm.ptr
  llvm.return
}
llvm.func @helper(%x: f64) -> f64 {
  llvm.return %x : f64
}
llvm.func @erf(f64) -> f64 attributes {pyopt.libm = "erf"}
llvm.func @hypotf(f32, f32) -> f32 attributes {pyopt.libm = "hypot"}
