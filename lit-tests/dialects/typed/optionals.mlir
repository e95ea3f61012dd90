// RUN: %pyopt %s --split-input-file | %pyopt --split-input-file | FileCheck %s --check-prefix=OPS
// RUN: %pyopt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: %pyopt %s --split-input-file --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s --check-prefix=OWNED
// RUN: %pyopt %s --split-input-file --typed-to-memref | FileCheck %s --check-prefix=LOWER

// OPS-LABEL: func.func @ops
// FOLD-LABEL: func.func @ops(
// FOLD-SAME: %[[X:.*]]: f64, %[[O:.*]]: !typed.optional<f64>)
// LOWER-LABEL: func.func @py.ops(
// LOWER-SAME: %[[X:.*]]: f64, %[[O:.*]]: f64, %[[F:.*]]: i1)
func.func @ops(%x: f64, %o: !typed.optional<f64>) -> (f64, i1, i1, i1, f64) {
  // OPS: typed.optional_none : !typed.optional<f64>
  %none = typed.optional_none : !typed.optional<f64>
  // OPS: typed.optional_some %{{.*}} : f64 to !typed.optional<f64>
  %some = typed.optional_some %x : f64 to !typed.optional<f64>
  // OPS: typed.is_some %{{.*}} : !typed.optional<f64>
  // FOLD-DAG: %[[NO:.*]] = typed.constant false
  %0 = typed.is_some %none : !typed.optional<f64>
  // FOLD-DAG: %[[YES:.*]] = typed.constant true
  %1 = typed.is_some %some : !typed.optional<f64>
  // OPS: typed.optional_value %{{.*}} : !typed.optional<f64> -> f64
  %2 = typed.optional_value %some : !typed.optional<f64> -> f64
  // What isn't made here stays.
  // FOLD-DAG: %[[IS:.*]] = typed.is_some %[[O]]
  %3 = typed.is_some %o : !typed.optional<f64>
  // FOLD-DAG: %[[VALUE:.*]] = typed.optional_value %[[O]]
  %4 = typed.optional_value %o : !typed.optional<f64> -> f64
  // FOLD: return %[[X]], %[[NO]], %[[YES]], %[[IS]], %[[VALUE]]
  // LOWER: return %[[X]], %false{{.*}}, %true{{.*}}, %[[F]], %[[O]]
  return %2, %0, %1, %3, %4 : f64, i1, i1, i1, f64
}

// -----

// An optional array owns what the array owns; the None has a null owner.

!a = !typed.array<1, f64, C>
// OWNED-LABEL: func.func @array
// LOWER-LABEL: func.func @py.array
// LOWER-SAME: -> f64
func.func @array(%n: si64, %c: i1) -> f64 {
  // OWNED: %[[R:.*]] = scf.if
  // LOWER: scf.if %{{.*}} -> (memref<?xf64>, !llvm.ptr, i1)
  %r = scf.if %c -> (!typed.optional<!a>) {
    // OWNED: %[[A:.*]] = typed.empty
    // OWNED-NEXT: %[[S:.*]] = typed.optional_some %[[A]]
    // OWNED-NEXT: typed.acquire %[[S]]
    // OWNED-NEXT: typed.release %[[A]]
    // OWNED-NEXT: scf.yield %[[S]]
    %a = typed.empty(%n) : (si64) -> !a
    %s = typed.optional_some %a : !a to !typed.optional<!a>
    scf.yield %s : !typed.optional<!a>
  } else {
    // LOWER: else
    // LOWER: llvm.mlir.zero : !llvm.ptr
    %u = typed.optional_none : !typed.optional<!a>
    scf.yield %u : !typed.optional<!a>
  }
  %is = typed.is_some %r : !typed.optional<!a>
  // OWNED: typed.raise_if {{.*}} releasing(%[[R]] : !typed.optional<!typed.array<1, f64, C>>)
  typed.raise_if %is, "TypeError"("none")
  %v = typed.optional_value %r : !typed.optional<!a> -> !a
  %i = typed.constant 0 : si64
  // OWNED: typed.load
  // OWNED-NEXT: typed.release %[[R]]
  %x = typed.load %v[%i] : !a, si64 -> f64
  func.return %x : f64
}
