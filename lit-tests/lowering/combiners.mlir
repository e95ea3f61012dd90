// A launch whose results a combiner makes: the first part starts with the initial value, the others
// with the identity; the calls may raise.
// RUN: %pyopt %s --split-input-file --typed-to-abi --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @py.f(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: i64, %[[OWNER:.*]]: !llvm.ptr, %[[ERR:.*]]: !llvm.ptr)
// CHECK: %[[PARTS:.*]] = call @pyopt_parts
// CHECK: %[[SLOTS:.*]] = llvm.alloca
// CHECK: llvm.store %[[X]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[STATUS:.*]] = call @pyopt_parallel
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: cf.br ^[[HEADER:.*]](%{{.*}}, %[[FIRST]] : i64, i64)
// CHECK: ^[[HEADER]](%[[AT:.*]]: i64, %[[BEFORE:.*]]: i64):
// CHECK: %[[PARTIAL:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[BOTH:.*]]:2 = call @py.later(%[[BEFORE]], %[[PARTIAL]], %[[ERR]])
// CHECK: cf.br ^[[HEADER]](%{{.*}}, %[[BOTH]]#1 : i64, i64)
// CHECK: call @pyopt.trace
// CHECK: call @pyopt_release(%[[OWNER]])

// CHECK-LABEL: func.func private @py.f.parfor0.part(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[PART:.*]]: i64
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[PART]]
// CHECK: %[[NONE:.*]] = call @py.nothing() : () -> i64
// CHECK: %[[INIT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[START:.*]] = arith.select %[[IS_FIRST]], %[[INIT]], %[[NONE]] : i64
// CHECK: call @py.f.parfor0(%{{.*}}, %{{.*}}, %[[START]])
// CHECK-NOT: parfor.combiner
func.func @py.f(%n: index, %x: i64, %owner: !llvm.ptr) -> i64 attributes {pyopt.function = "f"} {
  %0 = parfor.launch @py.f.parfor0(%n) inits(%x : i64) reductions [@later.reduction] releasing(%owner : !llvm.ptr) {pyopt.types = [si64]} : i64
  func.return %0 : i64
}
func.func private @py.f.parfor0(%l: index, %u: index, %start: i64) -> i64 {
  func.return %start : i64
}
func.func private @py.nothing() -> i64 {
  %0 = arith.constant 0 : i64
  func.return %0 : i64
}
func.func private @py.later(%a: i64, %b: i64) -> i64 {
  %0 = arith.cmpi slt, %b, %a : i64
  typed.raise_if %0, "ValueError"("descending")
  func.return %b : i64
}
parfor.combiner @later.reduction identity(@py.nothing) combine(@py.later)

// -----

func.func @py.f(%n: index, %x: i64) -> i64 {
  // expected-error @+1 {{the identity @py.nothing may raise}}
  %0 = parfor.launch @py.f.parfor0(%n) inits(%x : i64) reductions [@later.reduction] {pyopt.types = [si64]} : i64
  func.return %0 : i64
}
func.func private @py.f.parfor0(%l: index, %u: index, %start: i64) -> i64 {
  func.return %start : i64
}
func.func private @py.nothing() -> i64 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant true
  typed.raise_if %1, "ValueError"("nothing")
  func.return %0 : i64
}
func.func private @py.later(%a: i64, %b: i64) -> i64 {
  func.return %b : i64
}
parfor.combiner @later.reduction identity(@py.nothing) combine(@py.later)
