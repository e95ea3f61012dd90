// Folders of the py dialect.
// RUN: %pyopt %s --canonicalize | FileCheck %s

// A local that an operation computed is bound; a block argument may not be.
// CHECK-LABEL: py.func @check_bound
py.func @check_bound(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.binary add %a, %a
  %1 = py.check_bound %0 "x"
  // CHECK: %[[C:.*]] = py.check_bound %{{.*}} "a"
  %2 = py.check_bound %a "a"
  // CHECK: py.binary mul %{{.*}}, %[[C]]
  %3 = py.binary mul %1, %2
  py.return %3
}

// CHECK-LABEL: py.func @unbound_stays
py.func @unbound_stays() attributes {arg_names = [], globals = "m"} {
  // CHECK: py.check_bound %{{.*}} "x"
  %0 = py.unbound
  %1 = py.check_bound %0 "x"
  py.return %1
}

// Singletons have an identity, other constants don't.
// CHECK-LABEL: py.func @identity
py.func @identity() attributes {arg_names = [], globals = "m"} {
  %0 = py.constant #py.none
  %1 = py.constant #py.none
  // CHECK-DAG: %[[T:.*]] = py.constant true
  %2 = py.is %0, %1
  // CHECK-DAG: %[[A:.*]] = py.constant "a"
  %3 = py.constant "a"
  // CHECK: %[[I:.*]] = py.is %[[A]], %[[A]]
  %4 = py.is %3, %3
  // CHECK: py.build_tuple(%[[T]], %[[I]])
  %5 = py.build_tuple(%2, %4)
  py.return %5
}

// A branch on a constant goes one way.
// CHECK-LABEL: py.func @truth
py.func @truth(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.constant 0.0 : f64
  %1 = py.truth %0
  // CHECK-NOT: cf.cond_br
  // CHECK: py.return %[[B:.*]]
  cf.cond_br %1, ^then, ^else
^then:
  py.return %a
^else:
  py.return %b
}
