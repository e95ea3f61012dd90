// RUN: %pyopt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{an array of records has layout bytes}}
func.func private @layout(!typed.array<1, !typed.record<"void", 8, [["x", 0, f64]]>, C>)

// -----

// expected-error @+1 {{field "x" is not in a record of 8 bytes}}
func.func private @offset(!typed.record<"void", 8, [["x", 9, f64]]>)

// -----

// expected-error @+1 {{a field is a name, an offset, a type and sizes}}
func.func private @shape(!typed.record<"void", 8, [["x", f64]]>)

// -----

// expected-error @+1 {{a record is void or record, got struct}}
func.func private @class(!typed.record<"struct", 8, [["x", 0, f64]]>)

// -----

func.func @beyond(%a: !typed.array<1, !typed.record<"void", 8, [["x", 0, f64]]>, bytes>) {
  // expected-error @+1 {{elements of 8 bytes have none of 16 at 0}}
  %0 = typed.reinterpret %a of [2] : !typed.array<1, !typed.record<"void", 8, [["x", 0, f64]]>, bytes> -> !typed.array<2, f64, bytes>
  return
}
