// RUN: %pyopt %s --pass-pipeline='builtin.module(describe-lines,describe-variables)' --mlir-print-debuginfo | FileCheck %s

// Functions have their Python names, entry points for the host keep symbols.

// CHECK-DAG: #[[INT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int64", sizeInBits = 64, encoding = DW_ATE_signed>
// CHECK-DAG: #[[F:.*]] = #llvm.di_subprogram<id = distinct[{{[0-9]+}}]<>, {{.*}}name = "work", {{.*}}line = 4
// CHECK-DAG: #[[X:.*]] = #llvm.di_local_variable<scope = #[[F]], name = "x", file = #{{.*}}, line = 6, type = #[[INT]]>
// CHECK-DAG: #[[A:.*]] = #llvm.di_local_variable<scope = #[[F]], name = "a", file = #{{.*}}, line = 4, arg = 1, type = #[[ARRAY:.*]]>
// CHECK-DAG: #[[AGAIN:.*]] = #llvm.di_local_variable<scope = #[[F]], name = "x$1"
// CHECK-DAG: #[[ARRAY]] = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "array(float64, 1d, C)", sizeInBits = 192

// CHECK-LABEL: llvm.func @"py.m.f(si64)"
// CHECK:       %[[P:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> : (i64) -> !llvm.ptr loc(
// CHECK-NEXT:  llvm.intr.dbg.declare #[[X]] = %[[P]]
// CHECK:       llvm.intr.dbg.declare #[[AGAIN]]
// CHECK:       llvm.intr.dbg.declare #[[A]]
// CHECK-LABEL: llvm.func @entry
// CHECK:       name = "entry", linkageName = "entry"
llvm.func @"py.m.f(si64)"() attributes {pyopt.function = "work"} {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.alloca %0 x !llvm.array<8 x i8> {pyopt.variable = "x", pyopt.variable_type = si64} : (i64) -> !llvm.ptr loc("work.py":6:3)
  %2 = llvm.alloca %0 x !llvm.array<8 x i8> {pyopt.variable = "x", pyopt.variable_type = f64} : (i64) -> !llvm.ptr loc("work.py":7:3)
  %3 = llvm.alloca %0 x !llvm.array<24 x i8> {pyopt.argument = 1 : i64, pyopt.variable = "a", pyopt.variable_type = !typed.array<1, f64, C>} : (i64) -> !llvm.ptr loc("work.py":4:1)
  llvm.return
} loc("work.py":4:1)

llvm.func @entry() attributes {pyopt.function = "work", pyopt.signature = () -> ()} {
  llvm.return
} loc("work.py":4:1)
