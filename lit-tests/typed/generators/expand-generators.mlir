// RUN: %pyopt %s --typed-expand-generators --split-input-file | FileCheck %s

// What is needed behind the yield is in the state: the array with its owner, and the number. What is
// used before alone isn't, and constants are made anew.

// CHECK-LABEL: func.func @f.next(
// CHECK-SAME: %[[G:.*]]: !typed.generator<@f.next, si64>) -> !typed.unbound<si64>
// CHECK-SAME: pyopt.entry
// It has ended while it runs, as far as anybody knows.
// CHECK: %[[AT:.*]] = typed.generator_load %[[G]][1, 0] : {{.*}} -> index
// CHECK: typed.generator_store %{{.*}}, %[[G]][1, 0] : index
// CHECK: arith.cmpi eq, %[[AT]]
// CHECK: cf.cond_br %{{.*}}, ^[[START:.*]], ^[[NOT_FIRST:.*]]
// CHECK: ^[[START]]:
// CHECK-DAG: %[[N1:.*]] = typed.generator_load %[[G]][6, 1] : {{.*}} -> si64
// CHECK: %[[ONE:.*]] = typed.constant 1 : si64
// CHECK: typed.binary add %[[N1]], %[[ONE]]
// CHECK: typed.generator_store %{{.*}}, %[[G]][1, 0] : index
// CHECK: typed.bind
// CHECK: return
// The generator keeps its arguments until it ends.
// CHECK: typed.generator_load %[[G]][2, 0] {borrowed} : {{.*}} -> !typed.array<1, f64, C>
// CHECK: typed.constant 1 : si64
// CHECK: typed.dim
// CHECK: %[[NOTHING:.*]] = typed.unbound
// CHECK: return %[[NOTHING]]
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: si64)
// CHECK: %[[G:.*]] = typed.new_generator owners 1 words 7
// CHECK: typed.generator_store %[[A]], %[[G]][2, 0]
// CHECK: typed.generator_store %[[N]], %[[G]][6, 1]
// CHECK: return %[[G]]
func.func private @f.next(!typed.generator<@f.next, si64>) -> !typed.unbound<si64>
func.func @f(%a: !typed.array<1, f64, C>, %n: si64) -> !typed.generator<@f.next, si64>
    attributes {pyopt.entry, pyopt.generator} {
  %one = typed.constant 1 : si64
  %0 = typed.binary add %n, %one : si64
  typed.yield_value %0 : si64
  %1 = typed.dim %a[0] : !typed.array<1, f64, C> -> index
  %2 = typed.cast %1 : index to si64
  %3 = typed.binary add %2, %one : si64
  typed.yield_value %3 : si64
  typed.end_generator
}

// -----

// The number of a loop is stored where it gets a new value: at the start of the header.

// CHECK-LABEL: func.func private @g.next(
// CHECK-SAME: %[[G:.*]]: !typed.generator<@g.next, si64>)
// CHECK: ^[[HEADER:.*]](%[[I:.*]]: si64):
// CHECK: typed.generator_store %[[I]], %[[G]][2, 0] : si64
func.func private @g.next(!typed.generator<@g.next, si64>) -> !typed.unbound<si64>
func.func private @g(%n: si64) -> !typed.generator<@g.next, si64> attributes {pyopt.generator} {
  %one = typed.constant 1 : si64
  cf.br ^header(%one : si64)
^header(%i: si64):
  %more = typed.compare lt %i, %n : si64
  cf.cond_br %more, ^body, ^end
^body:
  typed.yield_value %i : si64
  %next = typed.binary add %i, %one : si64
  cf.br ^header(%next : si64)
^end:
  typed.end_generator
}
