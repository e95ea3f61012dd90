// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics | FileCheck %s

!point = !typed.record<"void", 12, [["x", 0, f64], ["n", 8, si32]]>

// An element is a view without dimensions, a field of it a number.

// CHECK-LABEL: func.func @read(
// CHECK:         %[[ONE:.*]] = typed.view %{{.*}} : !typed.array<1, {{.*}}, bytes>, (si64) -> !typed.array<0, {{.*}}, bytes>
// CHECK:         %[[X:.*]] = typed.reinterpret %[[ONE]] {{.*}} -> !typed.array<0, f64, bytes>
// CHECK:         typed.load %[[X]][] : !typed.array<0, f64, bytes> -> f64
py.specialize @m.read(!typed.array<1, !point, bytes>, si64) as @read
py.func @m.read(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %0 = py.getitem %a[%i]
  %1 = py.getattr %0 "x"
  py.return %1
}

// -----

!point = !typed.record<"void", 12, [["x", 0, f64], ["s", 8, !typed.none]]>

py.specialize @m.text(!typed.array<1, !point, bytes>) as @text
py.func @m.text(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{the field 's' holds what compiled code doesn't}}
  // expected-note @+1 {{pass it as another argument}}
  %0 = py.getattr %a "s"
  py.return %0
}
