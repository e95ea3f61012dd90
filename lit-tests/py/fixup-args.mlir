// RUN: %pyopt %s --py-fixup-args --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %pyopt %s --py-fixup-args --py-fixup-args --split-input-file --verify-diagnostics | FileCheck %s

// The types of the arguments are noted.

// CHECK-LABEL: py.func @plain
// CHECK-SAME: requested_types = [si64, f64]
py.specialize @plain(si64, f64) as @plain.1
py.func @plain(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %0 = py.binary add %a, %b
  py.return %0
}

// -----

// `*args` become a parameter each.

// CHECK-LABEL: py.func @stars
// CHECK-SAME: (%[[A:.*]], %[[X:.*]], %[[Y:.*]]) attributes {arg_names = ["a", "args.0", "args.1"]
// CHECK-NOT: varargs
// CHECK-NEXT: %[[ARGS:.*]] = py.build_tuple(%[[X]], %[[Y]])
// CHECK-NEXT: py.build_tuple(%[[A]], %[[ARGS]])
py.specialize @stars(si64, f64, i1) as @stars.1
py.func @stars(%a, %args) attributes {arg_names = ["a", "args"], globals = "m", varargs} {
  %0 = py.build_tuple(%a, %args)
  py.return %0
}

// -----

// Without an argument the default is a constant.

// CHECK-LABEL: py.func @defaults
// CHECK-SAME: (%[[A:.*]]) attributes {arg_names = ["a"], globals = "m", requested_types = [si64]}
// CHECK-NEXT: %[[K:.*]] = py.constant 5 : i64
// CHECK-NEXT: %[[B:.*]] = py.constant #py.none
// CHECK-NEXT: py.build_tuple(%[[A]], %[[B]], %[[K]])
py.specialize @defaults(si64) as @defaults.1
py.func @defaults(%a, %b, %k) attributes {arg_names = ["a", "b", "k"], defaults = [#py.none], globals = "m", kwdefaults = {k = 5 : i64}, kwonlyargcount = 1 : i64} {
  %0 = py.build_tuple(%a, %b, %k)
  py.return %0
}

// -----

// Nothing is known of a function that others call, or that is asked for with other types too.

// CHECK-LABEL: py.func @recursive
// CHECK-NOT: requested_types
py.specialize @recursive(si64) as @recursive.1
py.binding @m.recursive = #py.function<@recursive>
py.func @recursive(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// CHECK-LABEL: py.func @twice
// CHECK-NOT: requested_types
py.specialize @twice(si64) as @twice.1
py.specialize @twice(f64) as @twice.2
py.func @twice(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// -----

// expected-error @+1 {{missing() missing 1 required positional argument: 'b'}}
py.specialize @missing(si64) as @missing.1
py.func @missing(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  py.return %a
}

// -----

// expected-error @+1 {{many() takes 1 positional arguments but 2 were given}}
py.specialize @many(si64, si64) as @many.1
py.func @many(%a) attributes {arg_names = ["a"], globals = "m"} {
  py.return %a
}

// -----

// What calls itself with `*args` of its own stays; the request gets a copy.

// CHECK: py.specialize @again.request.0(si64, f64) as @again.1
// CHECK-LABEL: py.func @again(
// CHECK-SAME: varargs
// CHECK-LABEL: py.func @again.request.0(
// CHECK-SAME: arg_names = ["n", "rest.0"]
// CHECK-SAME: qualname = "again"
// CHECK-SAME: requested_types = [si64, f64]
// CHECK: %[[PACKED:.*]] = py.build_tuple(%arg1)
// CHECK: py.call_ex %{{.*}}(args %[[PACKED]])
py.specialize @again(si64, f64) as @again.1
py.binding @m.again = #py.function<@again>
py.func @again(%n, %rest) attributes {arg_names = ["n", "rest"], globals = "m", varargs} {
  %0 = py.global @m.again
  %1 = py.call_ex %0(args %rest)
  py.return %1
}
