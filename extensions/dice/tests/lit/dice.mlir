// RUN: %pyopt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(dice-lower)' | FileCheck %s

!cup = !typed.sequence<tuple<si64>, #py.named_tuple<"Cup", 0, [".address"]>>

// The field of a cup is the address of C's state.
// CHECK: llvm.func @erand48(!llvm.ptr) -> f64
// CHECK-LABEL: func.func @roll(
// CHECK: %[[FIELDS:.*]] = typed.as_tuple %arg0
// CHECK: %[[ADDRESS:.*]] = typed.tuple_get %[[FIELDS]][0]
// CHECK: %[[WORD:.*]] = builtin.unrealized_conversion_cast %[[ADDRESS]] : si64 to i64
// CHECK: %[[STATE:.*]] = llvm.inttoptr %[[WORD]] : i64 to !llvm.ptr
// CHECK: %[[ROLL:.*]] = llvm.call @erand48(%[[STATE]])
// CHECK: return %[[ROLL]]
func.func @roll(%fields: !cup) -> f64 {
  %cup = builtin.unrealized_conversion_cast %fields : !cup to !dice.cup
  %value = dice.roll %cup
  return %value : f64
}

// CHECK-LABEL: func.func @of(
// CHECK: %[[FIELDS:.*]] = typed.tuple(%arg0)
// CHECK: %[[CUP:.*]] = typed.as_sequence %[[FIELDS]]
// CHECK: return %[[CUP]]
func.func @of(%address: si64) -> !cup {
  %cup = dice.of %address
  %fields = builtin.unrealized_conversion_cast %cup : !dice.cup to !cup
  return %fields : !cup
}

// -----

func.func @unknown(%cup: !dice.cup) -> f64 {
  // expected-error @+1 {{the cup isn't one of Python's}}
  %value = dice.roll %cup
  return %value : f64
}

// -----

func.func @given(%address: si64) -> !dice.cup {
  // expected-error @+1 {{only Python has cups}}
  %cup = dice.of %address
  return %cup : !dice.cup
}
