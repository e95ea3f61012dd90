// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-alias-scopes))' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-alias-scopes),typed-to-memref,lower-strided-access)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// What is allocated here is neither an argument nor the other allocation; views are what they look at.

// CHECK-DAG: #[[DOMAIN:.*]] = #llvm.alias_scope_domain<id = "two allocations">
// CHECK-DAG: #[[X:.*]] = #llvm.alias_scope<id = "two allocations.0", domain = #[[DOMAIN]]>
// CHECK-DAG: #[[Y:.*]] = #llvm.alias_scope<id = "two allocations.1", domain = #[[DOMAIN]]>

// CHECK-LABEL: func.func @two(
// CHECK: typed.load %arg0[%arg1, %arg1] {noalias_scopes = [#[[X]], #[[Y]]]}
// CHECK: typed.store %{{.*}}, %{{.*}}[%arg1, %arg1] {alias_scopes = [#[[X]]], noalias_scopes = [#[[Y]]]}
// CHECK: typed.store %{{.*}}, %{{.*}}[%arg1, %arg1] {alias_scopes = [#[[Y]]], noalias_scopes = [#[[X]]]}
// CHECK: typed.load %{{.*}}[%arg1, %arg1] {alias_scopes = [#[[X]]], noalias_scopes = [#[[Y]]]}

// Positions in contiguous arrays keep what upstream says of them.
// LLVM-LABEL: @py.two(
// LLVM: arith.muli {{.*}} overflow<nsw, nuw>
// LLVM: llvm.getelementptr inbounds|nuw
// LLVM: llvm.load {{.*}} {noalias_scopes = [
// LLVM: llvm.store {{.*}} {alias_scopes = [{{.*}}], noalias_scopes = [
func.func @two(%a: !typed.array<2, f64, C>, %i: index) -> f64 {
  %x = typed.empty(%i, %i) : (index, index) -> !typed.array<2, f64, C>
  %y = typed.empty(%i, %i) : (index, index) -> !typed.array<2, f64, C>
  %0 = typed.load %a[%i, %i] : !typed.array<2, f64, C>, index, index -> f64
  typed.store %0, %x[%i, %i] : f64, !typed.array<2, f64, C>, index, index
  typed.store %0, %y[%i, %i] : f64, !typed.array<2, f64, C>, index, index
  %v = typed.transpose %x : !typed.array<2, f64, C> -> !typed.array<2, f64, F>
  %1 = typed.load %v[%i, %i] : !typed.array<2, f64, F>, index, index -> f64
  return %1 : f64
}

// Which array it is isn't known; with arguments alone nothing is.

// CHECK-LABEL: func.func @unknown(
// CHECK: typed.load %{{.*}}[%arg1] : !typed.array
func.func @unknown(%a: !typed.array<1, f64, C>, %i: index, %c: i1) -> f64 {
  %x = typed.empty(%i) : (index) -> !typed.array<1, f64, C>
  %0 = typed.load %x[%i] : !typed.array<1, f64, C>, index -> f64
  %s = arith.select %c, %a, %x : !typed.array<1, f64, C>
  %1 = typed.load %s[%i] : !typed.array<1, f64, C>, index -> f64
  return %1 : f64
}

// CHECK-LABEL: func.func @arguments(
// CHECK-NOT: scopes
func.func @arguments(%a: !typed.array<1, f64, C>, %b: !typed.array<1, f64, C>, %i: index) {
  %0 = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
  typed.store %0, %b[%i] : f64, !typed.array<1, f64, C>, index
  return
}

// Functions are named after the types they are for, which may have texts in them.

// CHECK-LABEL: func.func @"sum(!typed.record<\22void\22>)\\"(
// CHECK: typed.store %{{.*}}, %{{.*}}[%arg1] {alias_scopes = [
func.func @"sum(!typed.record<\"void\">)\\"(%a: !typed.array<1, f64, C>, %i: index) {
  %x = typed.empty(%i) : (index) -> !typed.array<1, f64, C>
  %0 = typed.load %a[%i] : !typed.array<1, f64, C>, index -> f64
  typed.store %0, %x[%i] : f64, !typed.array<1, f64, C>, index
  return
}
