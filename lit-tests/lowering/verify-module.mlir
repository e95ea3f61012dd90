// Where the tool doesn't verify, the pass does.

// The round trip would have to parse what doesn't verify.
// UNSUPPORTED: roundtrip
// RUN: split-file %s %t
// RUN: %pyopt %t/right.mlir --verify-module | FileCheck %s
// RUN: not %pyopt %t/wrong.mlir --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --verify-module 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// RUN: not %pyopt %t/inner.mlir --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --verify-module 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INNER
// RUN: %pyopt %t/wrong.mlir --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --symbol-dce

// CHECK: return %arg0 : i64
// WRONG: wrong.mlir:2:3: error: type of return operand 0 ('i64') doesn't match function result type ('i32')
// INNER: inner.mlir:3:10: error: 'arith.addi' op requires the same type for all operands and results

//--- right.mlir
func.func @f(%a: i64) -> i64 {
  return %a : i64
}

//--- wrong.mlir
func.func @f(%a: i64) -> i32 {
  return %a : i64
}

//--- inner.mlir
func.func @f(%a: i64, %b: i32, %c: i1) {
  scf.if %c {
    %0 = "arith.addi"(%a, %b) : (i64, i32) -> i64
  }
  return
}
