// Functions are described under their names in Python; entry points and what isn't from Python keep
// their symbols, and so does what isn't described.

// RUN: %pyopt %s --pass-pipeline='builtin.module(ensure-debug-info-scope-on-llvm-func,name-subprograms)' \
// RUN:   --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: %pyopt %s --name-subprograms --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PLAIN

// CHECK: llvm.func @py.f.1
// CHECK: #llvm.di_subprogram<{{.*}}name = "f", linkageName = ""
// CHECK: llvm.func @f.entry
// CHECK: #llvm.di_subprogram<{{.*}}name = "f.entry"
// CHECK: llvm.func @helper
// CHECK: #llvm.di_subprogram<{{.*}}name = "helper"
// PLAIN-NOT: di_subprogram

llvm.func @py.f.1() attributes {pyopt.function = "f"} {
  llvm.return
}
llvm.func @f.entry() attributes {pyopt.function = "f", pyopt.signature = () -> ()} {
  llvm.return
}
llvm.func @helper() {
  llvm.return
}

// What is from another file than the function is described as part of the function under its new name.

// CHECK: llvm.func @py.g.1
// CHECK: llvm.return {{.*}}#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}name = "g", linkageName = ""{{.*}}file = <"b.py" in "/lib">
llvm.func @py.g.1() attributes {pyopt.function = "g"} {
  llvm.return loc("/lib/b.py":3:1)
} loc("/lib/a.py":1:1)
