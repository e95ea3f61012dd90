// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics | FileCheck %s

// A field of an int needs no host; the parts are put together by the runtime.

// CHECK-LABEL: func.func @field(
// CHECK:         %[[PART:.*]] = typed.call @[[INT:.*]](%arg1) : (si64) -> !typed.str
// CHECK:         %[[COUNT:.*]] = typed.constant 2 : si64
// CHECK:         typed.call @[[CONCAT:.*]](%[[COUNT]], %arg0, %[[PART]]) : (si64, !typed.str, !typed.str) -> !typed.str
// CHECK:       func.func private @[[INT]](si64) -> !typed.str attributes {pyopt.native = "pyopt_text_of_int"}
// CHECK:       func.func private @[[CONCAT]]({{.*}} attributes {pyopt.native = "pyopt_text_concat"}
py.specialize @m.field(!typed.str, si64) as @field
py.func @m.field(%s, %n) attributes {arg_names = ["s", "n"], globals = "m"} {
  %part = py.format %n ""
  %same = py.format %s ""
  %made = py.build_string(%same, %part)
  py.return %made
}

// -----

// Digits, a width and zeros of a known specification are arguments of the runtime's function.

// CHECK-LABEL: func.func @digits(
// CHECK-DAG:     %[[DIGITS:.*]] = typed.constant 3 : si64
// CHECK-DAG:     %[[WIDTH:.*]] = typed.constant 8 : si64
// CHECK-DAG:     %[[ZEROS:.*]] = typed.constant 1 : si64
// CHECK:         typed.call @[[FIXED:.*]](%arg0, %[[DIGITS]], %[[WIDTH]], %[[ZEROS]]) : (f64, si64, si64, si64) -> !typed.str
// CHECK:       func.func private @[[FIXED]]({{.*}} attributes {pyopt.native = "pyopt_text_of_fixed"}
py.specialize @m.digits(f64) as @digits
py.func @m.digits(%x) attributes {arg_names = ["x"], globals = "m"} {
  %spec = py.constant "08.3f"
  %part = py.format %x "" spec %spec
  py.return %part
}

// -----

// Any other one is followed by the host.

// CHECK-LABEL: func.func @specified(
// CHECK:         %[[MADE:.*]] = typed.call @[[FORMAT:.*]](%arg0, %{{.*}}, %{{.*}}) : (f64, !typed.str, !typed.str) -> tuple<!typed.str>
// CHECK:         typed.tuple_get %[[MADE]][0]
// CHECK:       func.func private @[[FORMAT]]({{.*}} attributes {pyopt.object = #py.named<"pyopt.texts.format_value">}
py.specialize @m.specified(f64) as @specified
py.func @m.specified(%x) attributes {arg_names = ["x"], globals = "m"} {
  %spec = py.constant ".3g"
  %part = py.format %x "" spec %spec
  py.return %part
}

// -----

// Constants are put together here.

// CHECK-LABEL: func.func @known(
// CHECK-NEXT:    %[[AB:.*]] = typed.constant "ab"
// CHECK-NEXT:    return %[[AB]]
py.specialize @m.known() as @known
py.func @m.known() attributes {arg_names = [], globals = "m"} {
  %a = py.constant "a"
  %b = py.constant "b"
  %ab = py.binary add %a, %b
  py.return %ab
}

// -----

// Methods are functions of the library.

// CHECK-LABEL: func.func @upper(
// CHECK:         typed.call @"pyopt.library.str_upper(!typed.str)"(%arg0)
// CHECK:       func.func private @"pyopt.library.str_upper(!typed.str)"(
// CHECK:         typed.call @[[UPPER:.*]](%arg0)
// CHECK:       func.func private @[[UPPER]]({{.*}} attributes {pyopt.native = "pyopt_text_upper"}
py.specialize @m.upper(!typed.str) as @upper
py.func @m.upper(%s) attributes {arg_names = ["s"], globals = "m"} {
  %upper = py.getattr %s "upper"
  %made = py.call %upper()
  py.return %made
}

// -----

py.specialize @m.missing(!typed.str) as @missing
py.func @m.missing(%s) attributes {arg_names = ["s"], globals = "m"} {
  // expected-error @below {{unknown attribute 'no_such' of type unicode_type}}
  %encode = py.getattr %s "no_such"
  %made = py.call %encode()
  py.return %made
}

// -----

// Without an object in the host a value has no text.
py.specialize @m.list(!typed.list<!typed.slice<si64, si64, !typed.none>>) as @list
py.func @m.list(%x) attributes {arg_names = ["x"], globals = "m"} {
  // expected-error @+2 {{list(slice<a:b>) has no text in compiled code}}
  // expected-note @+1 {{make texts of numbers, texts, None, arrays, exceptions, containers and tuples of them}}
  %part = py.format %x ""
  py.return %part
}

// -----

// The host makes a text of a view of the dict, which is what stands for the view there.

// CHECK-LABEL: func.func @view(
// CHECK:         %[[VIEW:.*]] = typed.dict_view %arg0 : !typed.dict<si64, f64> -> !typed.dict_view<!typed.dict<si64, f64>, "keys">
// CHECK:         %[[DICT:.*]] = typed.viewed_dict %[[VIEW]]
// CHECK:         %[[ITEMS:.*]] = typed.tuple(%[[DICT]]) : tuple<!typed.dict<si64, f64>>
// CHECK:         %[[SHOWN:.*]] = typed.as_sequence %[[ITEMS]] : !typed.sequence<tuple<!typed.dict<si64, f64>>, #py.named_tuple<"dict_keys", 0, [".viewed"]>>
// CHECK:         typed.call @{{.*}}(%[[SHOWN]], %{{.*}}, %{{.*}})
py.specialize @m.view(!typed.dict<si64, f64>) as @view
py.func @m.view(%d) attributes {arg_names = ["d"], globals = "m"} {
  %method = py.getattr %d "keys"
  %keys = py.call %method()
  %part = py.format %keys ""
  py.return %part
}
