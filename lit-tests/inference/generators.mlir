// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// The type of the items is that of all yields; a loop resumes until there is nothing.

// CHECK-LABEL: func.func @f.1(
// CHECK: %[[G:.*]] = typed.call @"g(si64)"(%{{.*}}) : (si64) -> !typed.generator<@"g(si64).next", f64>
// CHECK: %[[R:.*]] = typed.call @"g(si64).next"(%[[G]]) : {{.*}} -> !typed.unbound<f64>
// CHECK: %[[MORE:.*]] = typed.is_bound %[[R]]
// CHECK: %[[X:.*]] = typed.bound_value %[[R]]
// CHECK: cf.cond_br %[[MORE]]
// CHECK: func.func private @"g(si64).next"(!typed.generator<@"g(si64).next", f64>) -> !typed.unbound<f64>
// CHECK-LABEL: func.func private @"g(si64)"(
// CHECK-SAME: pyopt.generator
// CHECK: typed.yield_value %{{.*}} : f64
// CHECK: typed.yield_value %{{.*}} : f64
// CHECK: typed.end_generator
py.binding @m.g = #py.function<@g>
py.specialize @f(si64) as @f.1
py.func @f(%n) attributes {arg_names = ["n"], globals = "m"} {
  %zero = py.constant 0.0 : f64
  %g = py.global @m.g
  %0 = py.call %g(%n)
  %1 = py.get_iter %0
  cf.br ^header(%zero : !py.object)
^header(%sum: !py.object):
  py.for_iter %1, ^body, ^end
^body(%x: !py.object):
  %2 = py.binary add %sum, %x
  cf.br ^header(%2 : !py.object)
^end:
  py.return %sum
}
py.func generator @g(%n) attributes {arg_names = ["n"], globals = "m"} {
  %half = py.constant 0.5 : f64
  %0 = py.yield %n
  %1 = py.yield %half
  %none = py.constant #py.none
  py.return %none
}

// -----

// Without a default there has to be an item.

// CHECK-LABEL: func.func @h.1(
// CHECK: typed.raise_if %{{.*}}, "StopIteration"
// CHECK: typed.call @"g(si64).next"
// CHECK: arith.select
py.binding @m.g = #py.function<@g>
py.binding @m.next = #py.named<"builtins.next">
py.specialize @h(si64) as @h.1
py.func @h(%n) attributes {arg_names = ["n"], globals = "m"} {
  %g = py.global @m.g
  %next = py.global @m.next
  %0 = py.call %g(%n)
  %1 = py.call %next(%0)
  %2 = py.call %next(%0, %1)
  py.return %2
}
py.func generator @g(%n) attributes {arg_names = ["n"], globals = "m"} {
  %0 = py.yield %n
  py.return %n
}

// -----

// In a protected range the loop's header ends with a branch that exceptions leave; what is converted on the
// way out of the loop stands behind it.

// CHECK-LABEL: func.func @protected.1(
// CHECK: typed.call @"g(si64).next"
// CHECK: typed.try_br ^[[TEST:.*]] unwind ^
// CHECK: ^[[TEST]]:
// CHECK-NEXT: %[[SUM:.*]] = typed.cast %{{.*}} : si64 to f64
// CHECK-NEXT: cf.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}(%[[SUM]] : f64)
py.binding @m.g = #py.function<@g>
py.specialize @protected(si64) as @protected.1
py.func @protected(%n) attributes {arg_names = ["n"], globals = "m"} {
  %half = py.constant 0.5 : f64
  %zero = py.constant 0 : i64
  %g = py.global @m.g
  %0 = py.call %g(%n)
  %1 = py.get_iter %0
  py.try_br ^header(%zero) unwind ^handler
^header(%sum: !py.object):
  py.for_iter %1, ^body, ^end(%sum) unwind ^handler
^body(%x: !py.object):
  %2 = py.binary add %sum, %x
  cf.br ^header(%2 : !py.object)
^handler(%e: !py.object):
  cf.br ^end(%half : !py.object)
^end(%result: !py.object):
  py.return %result
}
py.func generator @g(%n) attributes {arg_names = ["n"], globals = "m"} {
  %0 = py.yield %n
  %none = py.constant #py.none
  py.return %none
}
