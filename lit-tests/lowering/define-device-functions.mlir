// RUN: %pyopt %s --pass-pipeline='builtin.module(define-device-functions)' | FileCheck %s
// RUN: %pyopt %s --pass-pipeline='builtin.module(define-device-functions{library=true})' | FileCheck %s --check-prefix=LIBRARY

// What the definition calls comes with it; what that has of libm stays a declaration.
// CHECK-LABEL: func.func @calls(
// CHECK-NOT: @cexp
// CHECK-DAG: func.func private @pyopt_pow_u64(%{{.*}}: i64, %{{.*}}: i64) -> i64 {
// CHECK-DAG: func.func private @pyopt_pow_i64(%{{.*}}: i64, %{{.*}}: i64) -> i64 {
// CHECK-DAG: func.func private @csin(%{{.*}}: complex<f64>) -> complex<f64> attributes
// CHECK-DAG: func.func private @csinh(%{{.*}}: complex<f64>) -> complex<f64> attributes
// CHECK-DAG: func.func private @sinh(f64) -> f64 attributes {pyopt.libm = "sinh"}
// CHECK-DAG: func.func private @nextafter(%{{.*}}: f64, %{{.*}}: f64) -> f64 {
// CHECK-DAG: func.func private @other(i64) -> i64

// A device with the functions of C on floats has those.
// LIBRARY-DAG: func.func private @nextafter(f64, f64) -> f64
// LIBRARY-DAG: func.func private @csin(%{{.*}}: complex<f64>)
func.func @calls(%i: i64, %x: f64, %z: complex<f64>) {
  %0 = call @pyopt_pow_i64(%i, %i) : (i64, i64) -> i64
  %1 = call @csin(%z) : (complex<f64>) -> complex<f64>
  %2 = call @nextafter(%x, %x) : (f64, f64) -> f64
  %3 = call @other(%i) : (i64) -> i64
  return
}
func.func private @pyopt_pow_i64(i64, i64) -> i64
func.func private @csin(complex<f64>) -> complex<f64>
func.func private @nextafter(f64, f64) -> f64 attributes {pyopt.libm = "nextafter"}
func.func private @other(i64) -> i64
