// Loops that a program's own combiners reduce: on one thread, on several, and left alone.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-to-scf))' | FileCheck %s --check-prefix=SCF
// RUN: %pyopt %s --parfor-to-threads | FileCheck %s --check-prefix=THREADS
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-diagnostics{level=3}))' --verify-diagnostics -o /dev/null
// RUN: %pyopt %s --pass-pipeline='builtin.module(parfor-to-gpu)' | FileCheck %s --check-prefix=GPU

!v = !typed.array<1, f64, C>

// SCF-LABEL: func.func @largest(
// SCF-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: index, %[[X:.*]]: f64)
// SCF: %[[R:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[S:.*]] = %[[X]], %[[M:.*]] = %[[X]]) -> (f64, f64)
// SCF-NEXT:   %[[E:.*]] = typed.load %[[A]][%[[I]]]
// SCF-NEXT:   %[[T:.*]] = typed.binary add %[[S]], %[[E]]
// SCF-NEXT:   %[[L:.*]] = typed.call @larger(%[[M]], %[[E]]) : (f64, f64) -> f64
// SCF-NEXT:   scf.yield %[[T]], %[[L]]

// The body is given where it starts.
// THREADS-LABEL: func.func @largest(
// THREADS: parfor.launch @largest.parfor0(%{{.*}}) args(%{{.*}} : !typed.array<1, f64, C>) inits(%[[X:.*]], %[[X]] : f64, f64) reductions [add, @larger.reduction]
// THREADS-LABEL: func.func private @largest.parfor0(
// THREADS-SAME: %[[L:.*]]: index, %[[U:.*]]: index, %{{.*}}: !typed.array<1, f64, C>, %[[ONE:.*]]: f64, %[[TWO:.*]]: f64) -> (f64, f64)
// THREADS: %[[FROM:.*]] = arith.maxsi %[[L]], %{{.*}} : index
// THREADS: scf.for %{{.*}} = %[[FROM]] to %[[U]] step %{{.*}} iter_args(%{{.*}} = %[[ONE]], %{{.*}} = %[[TWO]])
// THREADS: typed.call @larger(

// GPU-LABEL: func.func @largest(
// GPU: parfor.offload "largest_kernel0"
func.func @largest(%a: !v, %n: index, %x: f64) -> (f64, f64) {
  // expected-remark @+1 {{reduces by add, larger()}}
  %0:2 = parfor.loop(%n) inits(%x, %x : f64, f64) reductions [add, @larger.reduction] pattern prange {
  ^bb0(%i: index):
    %e = typed.load %a[%i] : !v, index -> f64
    parfor.yield %e, %e : f64, f64
  } : f64, f64
  return %0#0, %0#1 : f64, f64
}

func.func private @lowest() -> f64 {
  %0 = typed.constant 0xFFF0000000000000 : f64
  return %0 : f64
}
func.func private @larger(%a: f64, %b: f64) -> f64 attributes {pyopt.function = "larger"} {
  %0 = typed.binary max %a, %b : f64
  return %0 : f64
}
parfor.combiner @larger.reduction identity(@lowest) combine(@larger) pure
