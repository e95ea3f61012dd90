// C functions, and memory that C code knows: round trip and folding.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @memory(
// CHECK: %[[P:.*]] = typed.address %{{.*}} : !typed.array<2, f64, F> -> !typed.pointer<f64>
// CHECK: %[[V:.*]] = typed.address_cast %[[P]] : !typed.pointer<f64> to !typed.pointer<!typed.none>
// CHECK: %[[N:.*]] = typed.address_cast %[[V]] : !typed.pointer<!typed.none> to ui64
// CHECK: typed.pointer_array %[[P]][%{{.*}}](%{{.*}}, %{{.*}}) : !typed.pointer<f64>, (si64, index) -> !typed.array<2, f64, C>
func.func @memory(%a: !typed.array<2, f64, F>, %i: si64, %n: index) -> (ui64, !typed.array<2, f64, C>) {
  %p = typed.address %a : !typed.array<2, f64, F> -> !typed.pointer<f64>
  %v = typed.address_cast %p : !typed.pointer<f64> to !typed.pointer<!typed.none>
  %number = typed.address_cast %v : !typed.pointer<!typed.none> to ui64
  %b = typed.pointer_array %p[%i](%i, %n) : !typed.pointer<f64>, (si64, index) -> !typed.array<2, f64, C>
  return %number, %b : ui64, !typed.array<2, f64, C>
}

// CHECK-LABEL: func.func @call(
// CHECK: typed.c_call %{{.*}}(%{{.*}}) : !typed.c_function<(f64) -> f64>, (f64) -> f64
// CHECK: typed.c_call %{{.*}}() : !typed.c_function<() -> ()>, () -> ()
func.func @call(%f: !typed.c_function<(f64) -> f64>, %g: !typed.c_function<() -> ()>, %x: f64) -> f64 {
  %y = typed.c_call %f(%x) : !typed.c_function<(f64) -> f64>, (f64) -> f64
  typed.c_call %g() : !typed.c_function<() -> ()>, () -> ()
  return %y : f64
}

// CHECK-LABEL: func.func @named(
// CHECK: typed.c_symbol "cos" : !typed.c_function<(f64) -> f64>
// CHECK: typed.c_symbol "csqrt" : !typed.c_function<(complex<f64>) -> complex<f64>>
func.func @named() -> (!typed.c_function<(f64) -> f64>, !typed.c_function<(complex<f64>) -> complex<f64>>) {
  %cos = typed.c_symbol "cos" : !typed.c_function<(f64) -> f64>
  %csqrt = typed.c_symbol "csqrt" : !typed.c_function<(complex<f64>) -> complex<f64>>
  return %cos, %csqrt : !typed.c_function<(f64) -> f64>, !typed.c_function<(complex<f64>) -> complex<f64>>
}

// A call may do anything: it stays, though nobody uses its result.
// FOLD-LABEL: func.func @kept(
// FOLD-COUNT-2: typed.c_call
func.func @kept(%f: !typed.c_function<(f64) -> f64>, %x: f64) {
  %a = typed.c_call %f(%x) : !typed.c_function<(f64) -> f64>, (f64) -> f64
  %b = typed.c_call %f(%x) : !typed.c_function<(f64) -> f64>, (f64) -> f64
  return
}

// FOLD-LABEL: func.func @round_trip(
// FOLD-NEXT: return %{{.*}}, %{{.*}} :
func.func @round_trip(%p: !typed.pointer<f64>) -> (!typed.pointer<f64>, !typed.pointer<f64>) {
  %n = typed.address_cast %p : !typed.pointer<f64> to ui64
  %q = typed.address_cast %n : ui64 to !typed.pointer<f64>
  %r = typed.address_cast %p : !typed.pointer<f64> to !typed.pointer<f64>
  return %q, %r : !typed.pointer<f64>, !typed.pointer<f64>
}

// CHECK: py.binding @sin = #py.c_function<"sin", !typed.c_function<(f64) -> f64>, 4096>
py.binding @sin = #py.c_function<"sin", !typed.c_function<(f64) -> f64>, 4096>
