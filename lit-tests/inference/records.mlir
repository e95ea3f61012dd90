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

// -----

!person = !typed.record<"void", 28, [["name", 0, !typed.str, 5], ["n", 20, si32, "The number"], ["tag", 24, !typed.bytes, 4]]>

// A text is copied out of its units, which are a view, and into them; a title is another name.

// CHECK-LABEL: func.func @person(
// CHECK:         %[[NAME:.*]] = typed.reinterpret %{{.*}} -> !typed.array<1, ui32, bytes>
// CHECK:         %[[TEXT:.*]] = typed.call @[[READ:.*]](%[[NAME]])
// CHECK:         %[[TAG:.*]] = typed.reinterpret %{{.*}} -> !typed.array<1, ui8, bytes>
// CHECK:         typed.call @[[WRITE:.*]](%{{.*}}, %[[TAG]])
// CHECK:         typed.reinterpret %{{.*}} at 20 : {{.*}} -> !typed.array<0, si32, bytes>
// CHECK:       func.func private @[[READ]]({{.*}} attributes {pyopt.native = "pyopt_text_of_field"}
// CHECK:       func.func private @[[WRITE]]({{.*}} attributes {pyopt.native = "pyopt_text_to_field"}
py.specialize @m.person(!typed.array<0, !person, bytes>, !typed.bytes) as @person
py.func @m.person(%a, %tag) attributes {arg_names = ["a", "tag"], globals = "m"} {
  %0 = py.getattr %a "name"
  py.setattr %a "tag" = %tag
  %1 = py.constant "The number"
  %2 = py.getitem %a[%1]
  %3 = py.build_tuple(%0, %2)
  py.return %3
}

// -----

!people = !typed.record<"void", 20, [["name", 0, !typed.str, 5]]>

py.specialize @m.names(!typed.array<1, !people, bytes>) as @names
py.func @m.names(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @+2 {{the field 'name' of an array of records would be an array of texts}}
  // expected-note @+1 {{use the field of one record}}
  %0 = py.getattr %a "name"
  py.return %0
}

// -----

!sized = !typed.record<"void", 16, [["size", 0, f64], ["x", 8, f64]]>

// What all arrays have goes before a field of that name; one record has its fields alone.

// CHECK-LABEL: func.func @sizes(
// CHECK-NOT:     typed.reinterpret
// CHECK:         typed.dim %{{.*}}[0]
// CHECK:         %[[ONE:.*]] = typed.view
// CHECK:         typed.reinterpret %[[ONE]] {{.*}} -> !typed.array<0, f64, bytes>
// CHECK:         typed.reinterpret %{{.*}} -> !typed.array<1, f64, bytes>
py.specialize @m.sizes(!typed.array<1, !sized, bytes>, si64) as @sizes
py.func @m.sizes(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %0 = py.getattr %a "size"
  %1 = py.getitem %a[%i]
  %2 = py.getattr %1 "size"
  %3 = py.getattr %a "x"
  %4 = py.build_tuple(%0, %2, %3)
  py.return %4
}
