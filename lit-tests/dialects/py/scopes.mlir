// Round trip of names, cells, class bodies and patterns.
// RUN: %pyopt %s | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s

// CHECK-LABEL: py.func @body() attributes {arg_names = [], freevars = ["y"], globals = "m", namespaced}
py.func @body() attributes {arg_names = [], freevars = ["y"], globals = "m", namespaced} {
  // CHECK: %[[NS:.*]] = py.namespace
  %ns = py.namespace
  // CHECK: py.setup_annotations %[[NS]]
  py.setup_annotations %ns
  // CHECK: py.load_name %[[NS]] "x" or @m.x
  %0 = py.load_name %ns "x" or @m.x
  // CHECK: %[[CELL:.*]] = py.free_cell 0 @body.y
  %cell = py.free_cell 0 @body.y
  // CHECK: py.load_class_deref %[[NS]] "y" or %[[CELL]]
  %1 = py.load_class_deref %ns "y" or %cell
  // CHECK: py.store_name %[[NS]] "z" = %
  py.store_name %ns "z" = %0
  // CHECK: py.delete_name %[[NS]] "z"
  py.delete_name %ns "z"
  // CHECK: py.import_star %[[NS]] = %
  py.import_star %ns = %1
  // CHECK: py.print_expr %
  py.print_expr %1
  // CHECK: py.intrinsic "typevar_with_bound"(%{{.*}}, %{{.*}})
  %bounded = py.intrinsic "typevar_with_bound"(%1, %1)
  py.return %1
}

// CHECK-LABEL: py.func @cells
py.func @cells(%a) attributes {arg_names = ["a"], freevars = ["__class__"], globals = "m"} {
  %0 = py.make_cell(%a)
  // CHECK: py.delete_cell %{{.*}} "a"{{$}}
  py.delete_cell %0 "a"
  %class = py.free_cell 0 @cells.__class__
  // CHECK: py.load_cell %{{.*}} "__class__" free
  %1 = py.load_cell %class "__class__" free
  // CHECK: py.delete_global @m.x
  py.delete_global @m.x
  // CHECK: py.load_build_class
  %2 = py.load_build_class
  %super = py.global @m.super
  // CHECK: py.call_super %{{.*}}(%{{.*}}, %{{.*}})
  %3 = py.call_super %super(%class, %a)
  // CHECK: py.extend dict_merge %{{.*}}, %{{.*}} for %
  py.extend dict_merge %2, %3 for %1
  py.return %3
}

// CHECK-LABEL: py.func @patterns
py.func @patterns(%subject, %type) attributes {arg_names = ["subject", "type"], globals = "m"} {
  // CHECK: py.match_mapping %
  %0 = py.match_mapping %subject
  // CHECK: py.match_sequence %
  %1 = py.match_sequence %subject
  // CHECK: py.get_len %
  %2 = py.get_len %subject
  %keys = py.constant ["a", "b"]
  // CHECK: py.match_keys %{{.*}}, %
  %3 = py.match_keys %subject, %keys
  // CHECK: py.match_class %{{.*}}, %{{.*}}, %{{.*}} positional 2
  %4 = py.match_class %subject, %type, %keys positional 2
  py.return %4
}
