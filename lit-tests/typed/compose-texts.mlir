// The parts of a text are written to one place.
// RUN: %pyopt %s --typed-compose-texts | FileCheck %s

func.func private @concat(si64, !typed.str, !typed.str) -> !typed.str
    attributes {pyopt.native = "pyopt_text_concat"}
func.func private @concat_bytes(si64, !typed.bytes, !typed.bytes) -> !typed.bytes
    attributes {pyopt.native = "pyopt_text_concat"}
func.func private @of_int(si64) -> !typed.str attributes {pyopt.native = "pyopt_text_of_int"}
func.func private @of_float(f64) -> !typed.str attributes {pyopt.native = "pyopt_text_of_float"}

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[A:.*]]: !typed.str, %[[B:.*]]: !typed.str, %[[N:.*]]: si64)
// CHECK-DAG:     %[[COUNT:.*]] = typed.constant 4 : si64
// CHECK-DAG:     %[[INTS:.*]] = typed.constant 8 : si64
// CHECK:         %[[MADE:.*]] = typed.call @[[COMPOSE:.*]](%[[COUNT]], %[[INTS]], %[[A]], %[[B]], %[[A]], %[[N]])
// CHECK-NOT:     typed.call
// CHECK:         return %[[MADE]]
func.func @chain(%a: !typed.str, %b: !typed.str, %n: si64) -> !typed.str {
  %two = typed.constant 2 : si64
  %0 = typed.call @concat(%two, %a, %b) : (si64, !typed.str, !typed.str) -> !typed.str
  %digits = typed.call @of_int(%n) : (si64) -> !typed.str
  %1 = typed.call @concat(%two, %a, %digits) : (si64, !typed.str, !typed.str) -> !typed.str
  %2 = typed.call @concat(%two, %0, %1) : (si64, !typed.str, !typed.str) -> !typed.str
  return %2 : !typed.str
}

// Operands of the same types are those of one function; bytes are like texts.
// CHECK-LABEL: func.func @again
// CHECK:         typed.call @[[COMPOSE]](
// CHECK-LABEL: func.func @of_bytes
// CHECK:         typed.call @{{.*}} : (si64, si64, !typed.bytes, !typed.bytes, !typed.bytes) -> !typed.bytes
// CHECK-NOT:     typed.call
// CHECK:         return
func.func @again(%a: !typed.str, %n: si64) -> !typed.str {
  %two = typed.constant 2 : si64
  %0 = typed.call @concat(%two, %a, %a) : (si64, !typed.str, !typed.str) -> !typed.str
  %1 = typed.call @concat(%two, %0, %a) : (si64, !typed.str, !typed.str) -> !typed.str
  %digits = typed.call @of_int(%n) : (si64) -> !typed.str
  %2 = typed.call @concat(%two, %1, %digits) : (si64, !typed.str, !typed.str) -> !typed.str
  return %2 : !typed.str
}
func.func @of_bytes(%a: !typed.bytes) -> !typed.bytes {
  %two = typed.constant 2 : si64
  %0 = typed.call @concat_bytes(%two, %a, %a) : (si64, !typed.bytes, !typed.bytes) -> !typed.bytes
  %1 = typed.call @concat_bytes(%two, %0, %a) : (si64, !typed.bytes, !typed.bytes) -> !typed.bytes
  return %1 : !typed.bytes
}

// A text that is used elsewhere, twice, or in another block is made; so are digits of floats.
// CHECK-LABEL: func.func @made
// CHECK-COUNT-4: typed.call @concat(
// CHECK-NOT:     compose
// CHECK:         return
func.func @made(%a: !typed.str, %x: f64, %c: i1) -> (!typed.str, !typed.str, !typed.str) {
  %two = typed.constant 2 : si64
  %0 = typed.call @concat(%two, %a, %a) : (si64, !typed.str, !typed.str) -> !typed.str
  %1 = typed.call @concat(%two, %0, %0) : (si64, !typed.str, !typed.str) -> !typed.str
  %outside = typed.call @concat(%two, %a, %a) : (si64, !typed.str, !typed.str) -> !typed.str
  %2 = scf.if %c -> (!typed.str) {
    %digits = typed.call @of_float(%x) : (f64) -> !typed.str
    %made = typed.call @concat(%two, %outside, %digits) : (si64, !typed.str, !typed.str) -> !typed.str
    scf.yield %made : !typed.str
  } else {
    scf.yield %a : !typed.str
  }
  return %0, %1, %2 : !typed.str, !typed.str, !typed.str
}

// CHECK: func.func private @[[COMPOSE]](si64, si64, !typed.str, !typed.str, !typed.str, si64) -> !typed.str attributes {pyopt.native = "pyopt_text_compose"}
