// RUN: %pyopt %s --infer-types | FileCheck %s

// Debuggers learn the typed values of variables.

// CHECK-LABEL: func.func @entry(
// CHECK-SAME:    %[[A:.*]]: si64, %[[B:.*]]: !typed.array<1, f64, C>)
// CHECK-NEXT:    typed.variable "a" argument 1(%[[A]]) : si64 as si64
// CHECK-NEXT:    typed.variable "b" argument 2(%[[B]]) : !typed.array<1, f64, C> as !typed.array<1, f64, C>
py.specialize @m.f(si64, !typed.array<1, f64, C>) as @entry
py.func @m.f(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  typed.variable "a" argument 1 (%a) : !py.object
  typed.variable "b" argument 2 (%b) : !py.object
  // A variable that is int and float is a float.
  // CHECK:       typed.variable "x"(%{{.*}}) : f64 as f64
  // CHECK:       typed.variable "x"(%{{.*}}) : f64 as f64
  %zero = py.constant 0 : i64
  typed.variable "x" (%zero) : !py.object
  %half = py.constant 0.5 : f64
  typed.variable "x" (%half) : !py.object
  // One that is a number and an array has two types.
  // CHECK:       typed.variable "y"(%{{.*}}) : si64 as si64
  // CHECK-NEXT:  typed.variable "y"(%[[B]]) : !typed.array<1, f64, C>
  typed.variable "y" (%zero) : !py.object
  typed.variable "y" (%b) : !py.object
  // Of None there is nothing to show.
  // CHECK-NOT:   typed.variable
  %none = py.constant #py.none
  typed.variable "z" (%none) : !py.object
  py.return %a
}
