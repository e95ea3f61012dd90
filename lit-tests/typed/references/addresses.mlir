// An array stays while an address into it is used, as a number too.
// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(typed-insert-ownership))' | FileCheck %s

// CHECK-LABEL: func.func @number(
// CHECK: %[[A:.*]] = typed.empty
// CHECK: typed.address_cast
// CHECK-NEXT: typed.c_call
// CHECK-NEXT: typed.release %[[A]]
func.func @number(%f: !typed.c_function<(ui64) -> ()>, %n: si64) {
  %a = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  %p = typed.address %a : !typed.array<1, f64, C> -> !typed.pointer<f64>
  %number = typed.address_cast %p : !typed.pointer<f64> to ui64
  typed.c_call %f(%number) : !typed.c_function<(ui64) -> ()>, (ui64) -> ()
  return
}

// CHECK-LABEL: func.func @array(
// CHECK: %[[A:.*]] = typed.empty
// CHECK: typed.load
// CHECK-NEXT: typed.release %[[A]]
func.func @array(%n: si64) -> f64 {
  %a = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  %p = typed.address %a : !typed.array<1, f64, C> -> !typed.pointer<f64>
  %b = typed.pointer_array %p[%n](%n) : !typed.pointer<f64>, (si64) -> !typed.array<1, f64, C>
  %x = typed.load %b[%n] : !typed.array<1, f64, C>, si64 -> f64
  return %x : f64
}

// An address that leaves a region may be one into any array that is used there.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[A:.*]] = typed.empty
// CHECK: %[[B:.*]] = typed.empty
// CHECK: typed.c_call
// CHECK-DAG: typed.release %[[A]]
// CHECK-DAG: typed.release %[[B]]
func.func @chosen(%c: i1, %f: !typed.c_function<(!typed.pointer<f64>) -> ()>, %n: si64) {
  %a = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  %b = typed.empty(%n) : (si64) -> !typed.array<1, f64, C>
  %p = scf.if %c -> !typed.pointer<f64> {
    %pa = typed.address %a : !typed.array<1, f64, C> -> !typed.pointer<f64>
    scf.yield %pa : !typed.pointer<f64>
  } else {
    %pb = typed.address %b : !typed.array<1, f64, C> -> !typed.pointer<f64>
    scf.yield %pb : !typed.pointer<f64>
  }
  typed.c_call %f(%p) : !typed.c_function<(!typed.pointer<f64>) -> ()>, (!typed.pointer<f64>) -> ()
  return
}
