// RUN: %pyopt %s --pass-pipeline='builtin.module(py-to-object-mode)' | FileCheck %s

// A local that is used at once takes no reference; a temporary is released after its last use, and
// on the way out.

// CHECK: llvm.func internal @pyopt.release
// CHECK-LABEL: llvm.func @pyopt_object_entry_add
// CHECK-SAME: pyopt.environment = [{const = 1 : i64}]
// CHECK: %[[FIRST:.*]] = llvm.call @pyopt_object_binary_add
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILS:.*]], ^
// CHECK: %[[SECOND:.*]] = llvm.call @pyopt_object_binary_mul(%[[FIRST]],
// CHECK: llvm.cond_br %{{.*}}, ^[[FAILS_LATER:.*]], ^
// CHECK: llvm.call @pyopt.release(%[[FIRST]])
// CHECK: llvm.return %[[SECOND]]
// CHECK: ^[[FAILS]]:
// CHECK: llvm.call @pyopt_object_traceback
// CHECK-NEXT: llvm.mlir.zero
// CHECK-NEXT: llvm.return
// CHECK: ^[[FAILS_LATER]]:
// CHECK: llvm.call @pyopt_object_traceback
// CHECK-NEXT: llvm.call @pyopt.release(%[[FIRST]])
py.func @add(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 2 : i64}
  %1 = py.load_local 1 "b" {offset = 4 : i64}
  %2 = py.binary add %0, %1 {offset = 6 : i64}
  %3 = py.constant 2 : i64 {const = 1 : i64, offset = 10 : i64}
  %4 = py.binary mul %2, %3 {offset = 12 : i64}
  py.return %4 {offset = 16 : i64}
}

// A local that is rebound before its value is used needs a reference.

// CHECK-LABEL: llvm.func @pyopt_object_entry_swap
// CHECK: ^bb1:
// CHECK: %[[OLD:.*]] = llvm.load
// CHECK: llvm.load %[[OLD]] : !llvm.ptr -> i64
// CHECK: llvm.add
// CHECK: llvm.call @pyopt.release_optional
// CHECK: llvm.return %[[OLD]]
py.func @swap(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 2 : i64}
  %1 = py.constant #py.none {offset = 4 : i64}
  py.store_local 0 "a" = %1 {offset = 6 : i64}
  py.return %0 {offset = 8 : i64}
}

// The handler gets the exception; what it doesn't need is released before.

// CHECK-LABEL: llvm.func @pyopt_object_entry_guarded
// CHECK: llvm.call @pyopt_object_unary_neg
// CHECK: llvm.cond_br %{{.*}}, ^[[CATCHES:.*]], ^
// CHECK: llvm.call @pyopt_object_matches_exception
// CHECK: ^[[CATCHES]]:
// CHECK: llvm.call @pyopt_object_traceback
// CHECK-NEXT: %[[EXC:.*]] = llvm.call @pyopt_object_catch
// CHECK-NEXT: llvm.br ^{{.*}}(%[[EXC]] : !llvm.ptr)
py.func @guarded(%a) attributes {arg_names = ["a"], globals = "m"} {
  cf.br ^try
^try:
  %0 = py.load_local 0 "a" {offset = 2 : i64}
  %1 = py.unary neg %0 {offset = 4 : i64}
  py.try_br ^done(%1) unwind ^handler
^done(%2: !py.object):
  py.return %2
^handler(%exc: !py.object):
  %class = py.global @m.ValueError {offset = 8 : i64}
  %3 = py.exc_match %exc, %class {offset = 10 : i64}
  cf.cond_br %3, ^mine, ^other
^mine:
  %4 = py.constant #py.none
  py.return %4
^other:
  py.reraise %exc
}

// A generator goes on at the instruction of its frame.

// CHECK-LABEL: llvm.func @pyopt_object_entry_twice
// CHECK: llvm.switch {{.*}} : i32, ^{{.*}} [
// CHECK: 8: ^
// CHECK: llvm.call @pyopt_object_suspend
// CHECK: llvm.call @pyopt_object_resume
py.func generator @twice(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 6 : i64}
  %1 = py.yield %0 {offset = 8 : i64}
  py.return %1 {offset = 12 : i64}
}

// A call takes over the references of the callable and its arguments, and nothing is released
// behind it. A global's value comes from the cache while the dicts have the versions in it.

// CHECK-LABEL: llvm.func @pyopt_object_entry_calls
// CHECK-SAME: pyopt.environment = [{name = "f"}, {cache = 4 : i64}]
// CHECK: %[[GLOBALS:.*]] = llvm.icmp "eq"
// CHECK: %[[BUILTINS:.*]] = llvm.or
// CHECK: %[[VALID:.*]] = llvm.and %[[GLOBALS]], %[[BUILTINS]]
// CHECK: llvm.cond_br %[[VALID]], ^{{.*}}, ^[[MISS:.*]]
// CHECK: ^{{.*}}(%[[F:.*]]: !llvm.ptr):
// CHECK: llvm.store %[[A:.*]], %{{.*}}
// CHECK: %[[RESULT:.*]] = llvm.call @pyopt_object_call(%arg0, %[[F]],
// CHECK-NOT: @pyopt.release
// CHECK: llvm.return %[[RESULT]]
// CHECK: ^[[MISS]]:
// CHECK: llvm.call @pyopt_object_load_global
py.func @calls(%a) attributes {arg_names = ["a"], globals = "m"} {
  %f = py.global @m.f {offset = 2 : i64}
  %0 = py.load_local 0 "a" {offset = 12 : i64}
  %1 = py.call %f(%0) {offset = 18 : i64}
  py.return %1 {offset = 22 : i64}
}

// The next item comes from the type of the iterator.

// CHECK-LABEL: llvm.func @pyopt_object_entry_loops
// CHECK: %[[ITERATOR:.*]] = llvm.call @pyopt_object_get_iterator
// CHECK: %[[TYPE:.*]] = llvm.getelementptr %[[CURRENT:.*]][8]
// CHECK: %[[LOADED:.*]] = llvm.load %[[TYPE]]
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[LOADED]][224]
// CHECK: %[[NEXT:.*]] = llvm.load %[[SLOT]]
// CHECK: llvm.call %[[NEXT]](%[[CURRENT]])
// CHECK: llvm.call @pyopt_object_end_iteration
py.func @loops(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.load_local 0 "a" {offset = 2 : i64}
  %1 = py.get_iter %0 {offset = 4 : i64}
  cf.br ^head(%1 : !py.object)
^head(%iterator: !py.object):
  py.for_iter %iterator, ^body, ^end {offset = 6 : i64}
^body(%item: !py.object):
  cf.br ^head(%iterator : !py.object)
^end:
  %2 = py.constant #py.none
  py.return %2
}
