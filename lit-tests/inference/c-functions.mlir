// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// C functions: arguments are converted to the parameters' types. A function without a result gives None.

// CHECK-LABEL: func.func @call(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[I:.*]]: si64)
// CHECK:         %[[NUMBER:.*]] = typed.constant 4096 : ui64
// CHECK:         %[[F:.*]] = typed.address_cast %[[NUMBER]] : ui64 to !typed.c_function<(si32, !typed.pointer<!typed.none>) -> f64>
// CHECK:         %[[P:.*]] = typed.address %[[A]]
// CHECK:         %[[NARROW:.*]] = typed.cast %[[I]] : si64 to si32
// CHECK:         %[[VOID:.*]] = typed.address_cast %[[P]] : !typed.pointer<f64> to !typed.pointer<!typed.none>
// CHECK:         typed.c_call %[[F]](%[[NARROW]], %[[VOID]])
py.binding @"m.f" = #py.c_function<"f", !typed.c_function<(si32, !typed.pointer<!typed.none>) -> f64>, 4096>
py.specialize @m.call(!typed.array<1, f64, C>, si64) as @call
py.func @m.call(%a, %i) attributes {arg_names = ["a", "i"], globals = "m"} {
  %f = py.global @"m.f"
  %p = py.getattr %a "ctypes"
  %0 = py.call %f(%i, %p)
  py.return %0
}

// -----

// A function with a symbol in place of an address.

// CHECK-LABEL: func.func @named(
// CHECK:         %[[F:.*]] = typed.c_symbol "cos" : !typed.c_function<(f64) -> f64>
// CHECK:         typed.c_call %[[F]](%{{.*}})
py.binding @"m.cos" = #py.c_function<"cos", !typed.c_function<(f64) -> f64>, 0>
py.specialize @m.named(f64) as @named
py.func @m.named(%x) attributes {arg_names = ["x"], globals = "m"} {
  %cos = py.global @"m.cos"
  %0 = py.call %cos(%x)
  py.return %0
}

// -----

// The array over the memory behind a pointer. The mark goes to the function.

// CHECK-LABEL: func.func @array(
// CHECK-SAME:    %[[P:.*]]: !typed.pointer<f32>, %[[N:.*]]: si64) -> !typed.array<1, f32, C>
// CHECK-SAME:    pyopt.c_entry
// CHECK:         typed.raise_if %{{.*}}, "ValueError"("negative dimensions are not allowed")
// CHECK:         typed.pointer_array %[[P]][%{{.*}}](%[[N]]) : !typed.pointer<f32>, (si64) -> !typed.array<1, f32, C>
py.binding @"m.carray" = #py.named<"pyopt.carray">
py.specialize @m.array(!typed.pointer<f32>, si64) as @array {pyopt.c_entry}
py.func @m.array(%p, %n) attributes {arg_names = ["p", "n"], globals = "m"} {
  %carray = py.global @"m.carray"
  %0 = py.call %carray(%p, %n)
  py.return %0
}
