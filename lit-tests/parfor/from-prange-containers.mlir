// RUN: %pyopt %s --pass-pipeline='builtin.module(func.func(parfor-from-prange))' --verify-diagnostics | FileCheck %s

// A function that changes a list, by one that it calls.
func.func private @insert(%l: !typed.list<si64>, %x: si64) {
  %one = typed.constant 1 : si64
  %failed = typed.list_reserve %l, %one : !typed.list<si64>
  typed.list_push %x to %l : !typed.list<si64>
  return
}
func.func private @change(%x: si64, %l: !typed.list<si64>) {
  typed.call @insert(%l, %x) : (!typed.list<si64>, si64) -> ()
  return
}

// CHECK-LABEL: func.func @by_a_call(
// CHECK: scf.for
func.func @by_a_call(%l: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations change the same list}}
  scf.for %i = %c0 to %n step %c1 {
    typed.call @change(%x, %l) : (si64, !typed.list<si64>) -> ()
  } {pyopt.prange}
  return
}

// One that is only read.
func.func private @read(%l: !typed.list<si64>) -> si64 {
  %n = typed.list_len %l : !typed.list<si64> -> si64
  return %n : si64
}

// CHECK-LABEL: func.func @reads(
// CHECK: parfor.loop
func.func @reads(%l: !typed.list<si64>, %n: index, %a: !typed.array<1, si64, C>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = typed.call @read(%l) : (!typed.list<si64>) -> si64
    typed.store %x, %a[%i] : si64, !typed.array<1, si64, C>, index
  } {pyopt.prange}
  return
}

// A copy that a function makes is the iteration's own; what a function hands back isn't.
func.func private @copy(%l: !typed.list<si64>) -> !typed.list<si64> {
  %made = typed.list_new : !typed.list<si64>
  %x = typed.call @read(%l) : (!typed.list<si64>) -> si64
  typed.list_push %x to %made : !typed.list<si64>
  return %made : !typed.list<si64>
}
func.func private @same(%l: !typed.list<si64>) -> !typed.list<si64> {
  return %l : !typed.list<si64>
}

// CHECK-LABEL: func.func @copies(
// CHECK: parfor.loop
func.func @copies(%l: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %own = typed.call @copy(%l) : (!typed.list<si64>) -> !typed.list<si64>
    typed.call @change(%x, %own) : (si64, !typed.list<si64>) -> ()
  } {pyopt.prange}
  return
}

// CHECK-LABEL: func.func @handed_back(
// CHECK: scf.for
func.func @handed_back(%l: !typed.list<si64>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations change the same list}}
  scf.for %i = %c0 to %n step %c1 {
    %it = typed.call @same(%l) : (!typed.list<si64>) -> !typed.list<si64>
    typed.call @change(%x, %it) : (si64, !typed.list<si64>) -> ()
  } {pyopt.prange}
  return
}

// A list in a list.
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
func.func @nested(%l: !typed.list<!typed.list<si64>>, %n: index, %x: si64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations change the same list}}
  scf.for %i = %c0 to %n step %c1 {
    %it = typed.list_get %l[%i : index] : !typed.list<!typed.list<si64>>
    typed.call @change(%x, %it) : (si64, !typed.list<si64>) -> ()
  } {pyopt.prange}
  return
}

// Numbers are replaced where they are; what owns memory is given up.
// CHECK-LABEL: func.func @replaces(
// CHECK: parfor.loop
// CHECK: scf.for
func.func @replaces(%l: !typed.list<si64>, %t: !typed.list<!typed.str>, %n: index, %x: si64, %s: !typed.str) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    typed.list_set %x, %l[%i : index] : !typed.list<si64>
  } {pyopt.prange}
  // expected-warning @+1 {{iterations change the same list}}
  scf.for %i = %c0 to %n step %c1 {
    typed.list_set %s, %t[%i : index] : !typed.list<!typed.str>
  } {pyopt.prange}
  return
}

// A function that nobody knows.
func.func private @unknown(!typed.list<si64>)

// CHECK-LABEL: func.func @calls_unknown(
// CHECK: scf.for
func.func @calls_unknown(%l: !typed.list<si64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{iterations change the same list}}
  scf.for %i = %c0 to %n step %c1 {
    typed.call @unknown(%l) : (!typed.list<si64>) -> ()
  } {pyopt.prange}
  return
}
