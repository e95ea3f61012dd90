// What passes note on operations are attributes of the dialect `pyopt`: declared, each of one kind.

// RUN: %pyopt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @kinds
// CHECK-SAME: attributes {pyopt.captures = 2 : i64, pyopt.entry, pyopt.function = "f", pyopt.origins = array<i64: -1, 0>, pyopt.signature = (f64) -> f64}
func.func @kinds() attributes {pyopt.entry, pyopt.function = "f", pyopt.signature = (f64) -> f64, pyopt.origins = array<i64: -1, 0>, pyopt.captures = 2 : i64} {
  return
}

// CHECK-LABEL: func.func @loops
// CHECK: {pyopt.prange}
// CHECK: {pyopt.prange = #parfor<pattern_kind reduction>}
// CHECK: arith.subi {{.*}} {pyopt.reassoc}
// CHECK: arith.subi {{.*}} {pyopt.reassoc = array<i64: 1, 0>}
func.func @loops(%n: index) -> index {
  scf.for %i = %n to %n step %n {
  } {pyopt.prange}
  scf.for %i = %n to %n step %n {
  } {pyopt.prange = #parfor<pattern_kind reduction>}
  %0 = arith.subi %n, %n {pyopt.reassoc} : index
  %1 = arith.subi %0, %n {pyopt.reassoc = array<i64: 1, 0>} : index
  return %1 : index
}

// Attributes of dialects that nobody has are nobody's business.

// CHECK-LABEL: func.func @others
// CHECK-SAME: attributes {other.entry}
func.func @others() attributes {other.entry} {
  return
}

// CHECK: module
// CHECK-SAME: attributes {pyopt.sites = [{id = 1 : i64}]}
module attributes {pyopt.sites = [{id = 1 : i64}]} {
}

// -----

func.func @unknown(%a: !typed.array<1, f64, C>, %i: si64) -> f64 {
  // expected-error @+1 {{'typed.load' op has attribute 'pyopt.foo', which isn't one that the dialect pyopt declares}}
  %0 = typed.load %a[%i] {pyopt.foo} : !typed.array<1, f64, C>, si64 -> f64
  return %0 : f64
}

// -----

// The name is the whole name.

// expected-error @+1 {{has attribute 'pyopt.entr', which isn't one that the dialect pyopt declares}}
func.func @prefix() attributes {pyopt.entr} {
  return
}

// -----

// An enum is more than its keyword.

func.func @keyword(%n: index) {
  // expected-error @+1 {{has attribute 'pyopt.prange', which must be of kind}}
  scf.for %i = %n to %n step %n {
  } {pyopt.prange = "reduction"}
  return
}

// -----

// Only loops of the library are marked with what they become.

func.func @case(%n: index) {
  // expected-error @+1 {{has attribute 'pyopt.prange', which must be of kind}}
  scf.for %i = %n to %n step %n {
  } {pyopt.prange = #parfor<pattern_kind fill>}
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.libm', which must be of kind: string attribute}}
func.func private @expf(f32) -> f32 attributes {pyopt.libm}

// -----

func.func @schedule(%n: index) {
  // expected-error @+1 {{has attribute 'pyopt.schedule', which must be of kind}}
  scf.for %i = %n to %n step %n {
  } {pyopt.schedule = "dynamic"}
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.function', which must be of kind: string attribute}}
func.func @unit() attributes {pyopt.function} {
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.entry', which must be of kind: unit attribute or string attribute}}
func.func @flag() attributes {pyopt.entry = true} {
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.captures', which must be of kind: 64-bit signless integer attribute}}
func.func @width() attributes {pyopt.captures = 2 : i32} {
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.signature', which must be of kind: type attribute of function type}}
func.func @type() attributes {pyopt.signature = f64} {
  return
}

// -----

func.func @either(%n: index) {
  // expected-error @+1 {{'scf.for' op has attribute 'pyopt.prange', which must be of kind: unit attribute or the construct that a parallel loop comes from that the library's loops have: numpy or reduction}}
  scf.for %i = %n to %n step %n {
  } {pyopt.prange = 1 : i64}
  return
}

// -----

// What arrays hold is told apart, too.

// expected-error @+1 {{has attribute 'pyopt.sites', which must be of kind: Array of dictionary attributes}}
module attributes {pyopt.sites = [1 : i64]} {
}

// -----

// expected-error @+1 {{has attribute 'pyopt.entry' on an argument, where the dialect pyopt declares none}}
func.func @argument(%x: f64 {pyopt.entry}) {
  return
}

// -----

// expected-error @+1 {{has attribute 'pyopt.entry' on a result, where the dialect pyopt declares none}}
func.func private @result() -> (f64 {pyopt.entry})
