// RUN: %pyopt %s | %pyopt | FileCheck %s

// An assignment that a debugger shows has an effect, so it stays where it is.

// CHECK-LABEL: func.func @kept
func.func @kept(%a: f64, %b: !typed.array<1, f64, C>) -> f64 {
  // CHECK-NEXT: typed.variable "a" argument 1(%{{.*}}) : f64 as f64
  typed.variable "a" argument 1 (%a) : f64 as f64
  // CHECK-NEXT: typed.variable "b"(%{{.*}}) : !typed.array<1, f64, C>
  typed.variable "b" (%b) : !typed.array<1, f64, C>
  return %a : f64
}

// A variable whose value has no parts left.
// CHECK-LABEL: func.func @nothing
func.func @nothing() {
  // CHECK-NEXT: typed.variable "n"() as !typed.none
  typed.variable "n" () as !typed.none
  return
}
