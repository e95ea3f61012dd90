// RUN: %pyopt %s --py-resolve-names | FileCheck %s
// RUN: %pyopt %s --py-resolve-names --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// STATISTICS: (S) {{ *}}7 resolved

py.binding @m.f.settings.LIMIT = 3 : i64
py.binding @m.f.settings.inner.norm = #py.function<@norm>
py.binding @m.f.space.K = 2.5 : f64
py.binding @m.f.np = #py.module<"numpy">
py.func @norm(%x) attributes {arg_names = ["x"], globals = "m.f"} {
  py.return %x
}

// The dotted name that is bound becomes a global, and what leads to it goes.

// CHECK-LABEL: py.func @m.f(
// CHECK-NEXT: %[[LIMIT:.*]] = py.global @m.f.settings.LIMIT
// CHECK-NEXT: %[[NORM:.*]] = py.global @m.f.settings.inner.norm
// CHECK-NEXT: %[[CALL:.*]] = py.call %[[NORM]](%[[LIMIT]])
// CHECK-NEXT: %[[REAL:.*]] = py.global @m.f.settings.LIMIT
// CHECK-NEXT: py.getattr %[[REAL]] "real"
py.func @m.f(%a) attributes {arg_names = ["a"], globals = "m.f"} {
  %settings = py.global @m.f.settings
  %limit = py.getattr %settings "LIMIT"
  %settings_1 = py.global @m.f.settings
  %inner = py.getattr %settings_1 "inner"
  %norm = py.getattr %inner "norm"
  %0 = py.call %norm(%limit)
  %settings_2 = py.global @m.f.settings
  %limit_2 = py.getattr %settings_2 "LIMIT"
  %real = py.getattr %limit_2 "real"
  %1 = py.binary add %0, %real
  py.return %1
}

// A free variable is a name too. Attributes of other values, of a host's modules, and of names that
// aren't bound stay.

// CHECK-LABEL: py.func @others(
// CHECK: py.global @m.f.space.K
// CHECK: py.getattr %{{.*}} "sqrt"
// CHECK: py.getattr %{{.*}} "LIMIT"
// CHECK: py.getattr %{{.*}} "MISSING"
py.func @others(%a) attributes {arg_names = ["a"], freevars = ["space"], globals = "m.f"} {
  %cell = py.free_cell 0 @m.f.space
  %space = py.load_cell %cell "space" free
  %k = py.getattr %space "K"
  %np = py.global @m.f.np
  %sqrt = py.getattr %np "sqrt"
  %0 = py.call %sqrt(%k)
  %limit = py.getattr %a "LIMIT"
  %1 = py.binary add %0, %limit
  %settings = py.global @m.f.settings
  %missing = py.getattr %settings "MISSING"
  %2 = py.binary add %1, %missing
  py.return %2
}

// What a function makes is read once, where a function begins: a global, and a free variable, but no function.

py.binding @m.h.TABLE = #py.function<@constant>
py.binding @"constant.<called>" = true
py.binding @m.h.g = #py.function<@norm>
py.func @constant() attributes {arg_names = [], globals = "m.h"} {
  %0 = py.constant 1 : i64
  py.return %0
}

// CHECK-LABEL: py.func @made(
// CHECK-NEXT: %[[TABLE:.*]] = py.global @m.h.TABLE
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: %[[G:.*]] = py.global @m.h.g
// CHECK-NEXT: py.call %[[G]](%[[TABLE]])
// CHECK: ^bb2:
// CHECK-NEXT: py.getitem %[[TABLE]][%{{.*}}]
py.func @made(%a) attributes {arg_names = ["a"], globals = "m.h"} {
  %truth = py.truth %a
  cf.cond_br %truth, ^bb1, ^bb2
^bb1:
  %g = py.global @m.h.g
  %table = py.global @m.h.TABLE
  %0 = py.call %g(%table)
  py.return %0
^bb2:
  %table_1 = py.global @m.h.TABLE
  %1 = py.getitem %table_1[%a]
  py.return %1
}

// Items of dicts by constant keys are names too; those by other keys, and what isn't bound, stay.

py.binding @"m.f.table[\22norm\22]" = #py.function<@norm>
py.binding @"m.f.table[3]" = 7 : i64

// CHECK-LABEL: py.func @items(
// CHECK-NEXT: %[[NORM:.*]] = py.global @"m.f.table[\22norm\22]"
// CHECK-NEXT: %[[SEVEN:.*]] = py.global @"m.f.table[3]"
// CHECK-NEXT: py.call %[[NORM]](%[[SEVEN]])
// CHECK: py.getitem
// CHECK: py.getitem
py.func @items(%x) attributes {arg_names = ["x"], globals = "m.f"} {
  %table = py.global @m.f.table
  %key = py.constant "norm"
  %norm = py.getitem %table[%key]
  %table_1 = py.global @m.f.table
  %three = py.constant 3 : i64
  %seven = py.getitem %table_1[%three]
  %0 = py.call %norm(%seven)
  %table_2 = py.global @m.f.table
  %1 = py.getitem %table_2[%x]
  %table_3 = py.global @m.f.table
  %four = py.constant 4 : i64
  %2 = py.getitem %table_3[%four]
  %3 = py.binary add %1, %2
  py.return %3
}

// `super()` gets the class of the cell and the instance, which may be in a cell too; what has the name and is
// something else gets nothing.

// CHECK-LABEL: py.func @Class.method(
// CHECK: %[[CALLEE:.*]] = py.global @builtins.super
// CHECK: %[[CLASS:.*]] = py.load_cell %{{.*}} "__class__" free
// CHECK: py.call %[[CALLEE]](%[[CLASS]], %arg0)
py.func @Class.method(%self) attributes {arg_names = ["self"], freevars = ["__class__"], globals = "m.f"} {
  %class = py.free_cell 0 @Class.method.__class__
  %super = py.global @builtins.super
  %0 = py.call_super %super(%class, %self)
  py.return %0
}

// CHECK-LABEL: py.func @Class.in_cell(
// CHECK: %[[CELL:.*]] = py.make_cell(%arg0)
// CHECK: %[[SELF:.*]] = py.load_cell %[[CELL]] "self"
// CHECK: py.call %{{.*}}(%{{.*}}, %[[SELF]])
py.func @Class.in_cell(%self) attributes {arg_names = ["self"], freevars = ["__class__"], globals = "m.f"} {
  %class = py.free_cell 0 @Class.in_cell.__class__
  %cell = py.make_cell(%self)
  %super = py.global @builtins.super
  %0 = py.call_super %super(%class, %cell)
  py.return %0
}

py.binding @m.f.other.super = #py.function<@norm>

// CHECK-LABEL: py.func @Class.other(
// CHECK: %[[NORM:.*]] = py.global @m.f.other.super
// CHECK: py.call %[[NORM]]()
py.func @Class.other(%self) attributes {arg_names = ["self"], freevars = ["__class__"], globals = "m.f"} {
  %class = py.free_cell 0 @Class.other.__class__
  %super = py.global @m.f.other.super
  %0 = py.call_super %super(%class, %self)
  py.return %0
}

py.binding @m.f.settings.NONE = #py.named<"settings.NONE">
py.binding @"<missing settings.NONE>" = "write 'LIMIT'"
py.binding @"<missing numpy.none>" = "use a name that the module has"

// What `getattr` and `hasattr` ask for is known where it is bound, and where it is known to be missing.

// CHECK-LABEL: py.func @asks(
// CHECK: %[[LIMIT:.*]] = py.global @m.f.settings.LIMIT
// CHECK-NEXT: %[[DEFAULT:.*]] = py.constant 7
// CHECK-NEXT: %[[YES:.*]] = py.constant true
// CHECK-NEXT: %[[NO:.*]] = py.constant false
// CHECK-NEXT: py.build_tuple(%[[LIMIT]], %[[DEFAULT]], %[[YES]], %[[NO]])
// CHECK: py.constant false
// CHECK: py.call
py.func @asks(%a) attributes {arg_names = ["a"], globals = "m.f"} {
  %settings = py.global @m.f.settings
  %getattr = py.global @builtins.getattr
  %hasattr = py.global @builtins.hasattr
  %limit = py.constant "LIMIT"
  %none = py.constant "NONE"
  %0 = py.call %getattr(%settings, %limit)
  %default = py.constant 7 : i64
  %1 = py.call %getattr(%settings, %none, %default)
  %2 = py.call %hasattr(%settings, %limit)
  %3 = py.call %hasattr(%settings, %none)
  %4 = py.build_tuple(%0, %1, %2, %3)
  %np = py.global @m.f.np
  %lower = py.constant "none"
  %5 = py.call %hasattr(%np, %lower)
  %6 = py.call %hasattr(%a, %lower)
  %7 = py.build_tuple(%4, %5, %6)
  py.return %7
}
