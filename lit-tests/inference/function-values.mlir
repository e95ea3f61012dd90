// RUN: %pyopt %s --infer-types | FileCheck %s

// A function that is known is converted to one of which the signature alone is known: the host makes the value.

// CHECK-LABEL: func.func @one() -> !typed.sequence<tuple<!typed.pointer<!typed.none>>, (f64) -> f64> attributes
// CHECK:         %[[F:.*]] = typed.singleton : !typed.function<@m.plus>
// CHECK:         %[[MADE:.*]] = typed.call @[[HOST:.*]](%[[F]]) :
// CHECK:         %[[VALUE:.*]] = typed.tuple_get %[[MADE]][0]
// CHECK:         return %[[VALUE]]
// CHECK:       func.func private @[[HOST]](!typed.function<@m.plus>) ->
// CHECK-SAME:    pyopt.object = #py.named<"pyopt.first_class.as_value">
py.specialize @m.one() -> !typed.sequence<tuple<!typed.pointer<!typed.none>>, (f64) -> f64> as @one
py.binding @m.f = #py.function<@m.plus>
py.func @m.one() attributes {arg_names = [], globals = "m"} {
  %0 = py.global @m.f
  py.return %0
}
py.func @m.plus(%x) attributes {arg_names = ["x"], globals = "m"} {
  py.return %x
}
