// Small functions that can't raise take the place of their calls.
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-inline-calls)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(typed-inline-calls,symbol-dce)' | FileCheck %s --check-prefix=DCE

// DCE-NOT: func.func private @square
// DCE-NOT: func.func private @choose
// DCE: func.func private @raises
func.func private @square(%x: f64) -> f64 {
  %y = typed.binary mul %x, %x : f64
  return %y : f64
}

// It calls another one, so it is inlined after that.
func.func private @choose(%c: i1, %x: f64) -> f64 {
  %r = scf.if %c -> f64 {
    %y = typed.call @square(%x) : (f64) -> f64
    scf.yield %y : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}

func.func private @raises(%c: i1, %x: f64) -> f64 {
  typed.raise_if %c, "ValueError"("no")
  return %x : f64
}

// More than one block.
func.func private @branches(%c: i1, %x: f64) -> f64 {
  cf.cond_br %c, ^one, ^two
^one:
  return %x : f64
^two:
  %y = typed.binary add %x, %x : f64
  return %y : f64
}

func.func private @elsewhere(f64) -> f64

func.func private @again(%x: f64) -> f64 {
  %y = typed.call @again(%x) : (f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func @caller
func.func @caller(%c: i1, %x: f64) -> (f64, f64) {
  // CHECK-NEXT: %[[A:.*]] = scf.if %arg0 -> (f64) {
  // CHECK-NEXT:   %[[Y:.*]] = typed.binary mul %arg1, %arg1
  // CHECK-NEXT:   scf.yield %[[Y]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %arg1
  // CHECK-NEXT: }
  %a = typed.call @choose(%c, %x) : (i1, f64) -> f64
  // CHECK-NEXT: %[[B:.*]] = typed.binary mul %[[A]], %[[A]]
  %b = typed.call @square(%a) : (f64) -> f64
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %a, %b : f64, f64
}

// In an array expression it is then one that can be fused.
// CHECK-LABEL: func.func @expression
func.func @expression(%a: !typed.array<1, f64, C>) -> !typed.array<1, f64, C> {
  // CHECK: typed.array_expr
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
  // CHECK-NEXT: %[[Y:.*]] = typed.binary mul %[[X]], %[[X]]
  // CHECK-NEXT: typed.yield %[[Y]]
  %r = typed.array_expr(%a) {
  ^bb0(%x: f64):
    %y = typed.call @square(%x) : (f64) -> f64
    typed.yield %y : f64
  } : (!typed.array<1, f64, C>) -> !typed.array<1, f64, C>
  return %r : !typed.array<1, f64, C>
}

// A call that may raise is part of a traceback; branches and what has no body stay, and so does
// what calls itself.
// CHECK-LABEL: func.func @near_misses
func.func @near_misses(%c: i1, %x: f64) -> (f64, f64, f64, f64) {
  // CHECK-NEXT: typed.call @raises
  %a = typed.call @raises(%c, %x) : (i1, f64) -> f64
  // CHECK-NEXT: typed.call @branches
  %b = typed.call @branches(%c, %x) : (i1, f64) -> f64
  // CHECK-NEXT: typed.call @elsewhere
  %d = typed.call @elsewhere(%x) : (f64) -> f64
  // CHECK-NEXT: typed.call @again
  %e = typed.call @again(%x) : (f64) -> f64
  return %a, %b, %d, %e : f64, f64, f64, f64
}

// The bits of an intrinsic's function that only computes are inlined like those of any other; one that
// accesses memory says that it isn't to be: nothing here would keep its array alive behind the last use.
func.func private @popcount(%x: si64) -> si64 {
  %0 = builtin.unrealized_conversion_cast %x : si64 to i64
  %1 = llvm.intr.ctpop(%0) : (i64) -> i64
  %2 = builtin.unrealized_conversion_cast %1 : i64 to si64
  return %2 : si64
}

func.func private @first(%a: !typed.array<1, f64, C>) -> f64 attributes {no_inline} {
  %m, %o = builtin.unrealized_conversion_cast %a : !typed.array<1, f64, C> to memref<?xf64>, !llvm.ptr
  %d = builtin.unrealized_conversion_cast %m : memref<?xf64> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %p = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %x = llvm.load %p : !llvm.ptr -> f64
  return %x : f64
}

// CHECK-LABEL: func.func @intrinsics
func.func @intrinsics(%x: si64, %a: !typed.array<1, f64, C>) -> (si64, f64) {
  // CHECK-NEXT: builtin.unrealized_conversion_cast
  // CHECK-NEXT: llvm.intr.ctpop
  // CHECK-NEXT: builtin.unrealized_conversion_cast
  %n = typed.call @popcount(%x) : (si64) -> si64
  // CHECK-NEXT: typed.call @first
  %y = typed.call @first(%a) : (!typed.array<1, f64, C>) -> f64
  return %n, %y : si64, f64
}

// A function that names fast-math flags is inlined into those that name the same.
func.func private @exact(%x: f64) -> f64 attributes {pyopt.fastmath = []} {
  %y = typed.binary mul %x, %x : f64
  return %y : f64
}

// CHECK-LABEL: func.func @fast(
// CHECK: typed.call @exact
// CHECK-NOT: typed.call @square
func.func @fast(%x: f64) -> f64 attributes {pyopt.fastmath = ["fast"]} {
  %y = typed.call @exact(%x) : (f64) -> f64
  %z = typed.call @square(%y) : (f64) -> f64
  return %z : f64
}

// CHECK-LABEL: func.func @as_exact(
// CHECK-NOT: typed.call
func.func @as_exact(%x: f64) -> f64 attributes {pyopt.fastmath = []} {
  %y = typed.call @exact(%x) : (f64) -> f64
  return %y : f64
}
