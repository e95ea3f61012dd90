// RUN: %pyopt %s --infer-types --split-input-file | FileCheck %s

// The math module: floats keep their width, floor and ceil give ints.

// CHECK-LABEL: func.func @math(
// CHECK-SAME:    %[[X:.*]]: f64, %[[I:.*]]: si64) -> tuple<f64, si64, f64, i1, f64>
// CHECK:         typed.constant 3.14
// CHECK:         typed.unary sqrt %{{.*}} : f64
// CHECK:         %[[F:.*]] = typed.unary floor %[[X]] : f64
// CHECK:         typed.cast %[[F]] : f64 to si64
// CHECK:         typed.binary atan2 %[[X]], %{{.*}} : f64
// CHECK:         typed.unary isnan %[[X]] : f64 -> i1
py.binding @"m.math" = #py.module<"math">
py.specialize @m.math_functions(f64, si64) as @math
py.func @m.math_functions(%x, %i) attributes {arg_names = ["x", "i"], globals = "m"} {
  %math = py.global @"m.math"
  %sqrt = py.getattr %math "sqrt"
  %floor = py.getattr %math "floor"
  %atan2 = py.getattr %math "atan2"
  %isnan = py.getattr %math "isnan"
  %pi = py.getattr %math "pi"
  %0 = py.call %sqrt(%i)
  %1 = py.call %floor(%x)
  %2 = py.call %atan2(%x, %i)
  %3 = py.call %isnan(%x)
  %4 = py.build_tuple(%0, %1, %2, %3, %pi)
  py.return %4
}

// -----

// Builtins: min and max promote, abs keeps the type, round goes to the even neighbour.

// CHECK-LABEL: func.func @builtins(
// CHECK-SAME:    -> tuple<f64, si32, si64, f64, si64, i1, tuple<si64, si64>>
// CHECK:         typed.binary min %{{.*}} : f64
// CHECK:         typed.unary abs %{{.*}} : si32
// CHECK:         typed.unary rint %{{.*}} : f64
// CHECK:         %[[SCALED:.*]] = typed.binary mul %{{.*}} : f64
// CHECK:         %[[LEFT_OUT:.*]] = math.fma
// CHECK:         typed.compare ne %[[LEFT_OUT]], %{{.*}} : f64
// CHECK:         typed.unary rint %[[SCALED]] : f64
// CHECK:         typed.raise_if %{{.*}}, "ZeroDivisionError"("integer division or modulo by zero")
// CHECK:         typed.binary floordiv
// CHECK:         typed.binary mod
py.specialize @m.builtins(f64, si32) as @builtins
py.func @m.builtins(%x, %i) attributes {arg_names = ["x", "i"], globals = "m"} {
  %min = py.global @"m.min"
  %abs = py.global @"m.abs"
  %round = py.global @"m.round"
  %int = py.global @"m.int"
  %divmod = py.global @"m.divmod"
  %isinstance = py.global @"m.isinstance"
  %float = py.global @"m.float"
  %two = py.constant 2 : i64
  %0 = py.call %min(%x, %i)
  %1 = py.call %abs(%i)
  %2 = py.call %round(%x)
  %3 = py.call %round(%x, %two)
  %4 = py.call %int(%x)
  %5 = py.call %isinstance(%x, %float)
  %6 = py.call %divmod(%i, %i)
  %7 = py.build_tuple(%0, %1, %2, %3, %4, %5, %6)
  py.return %7
}

// -----

// NumPy's scalar types convert, its universal functions take scalars too.

// CHECK-LABEL: func.func @numpy(
// CHECK-SAME:    -> tuple<f32, ui8, f32, f64, f64>
// CHECK:         typed.cast %{{.*}} : f64 to f32
// CHECK:         typed.cast %{{.*}} : f64 to ui8
// CHECK:         typed.unary exp %{{.*}} : f32
// CHECK:         typed.unary isnan %{{.*}} : f64 -> i1
// CHECK:         arith.select
py.binding @"m.np" = #py.module<"numpy">
py.specialize @m.numpy(f64) as @numpy
py.func @m.numpy(%x) attributes {arg_names = ["x"], globals = "m"} {
  %np = py.global @"m.np"
  %float32 = py.getattr %np "float32"
  %uint8 = py.getattr %np "uint8"
  %exp = py.getattr %np "exp"
  %maximum = py.getattr %np "maximum"
  %inf = py.getattr %np "inf"
  %0 = py.call %float32(%x)
  %1 = py.call %uint8(%x)
  %2 = py.call %exp(%0)
  %3 = py.call %maximum(%x, %2)
  %4 = py.build_tuple(%0, %1, %2, %3, %inf)
  py.return %4
}

// -----

// A free variable means what its binding says; the cell itself means nothing.
py.binding @free.x = 3 : i64
py.specialize @free(si64) as @free.1
// CHECK-LABEL: func.func @free.1
// CHECK: typed.constant 3
py.func @free(%a) attributes {arg_names = ["a"], freevars = ["x"], globals = "m"} {
  %0 = py.free_cell 0 @free.x
  %1 = py.load_cell %0 "x" free
  %2 = py.binary mul %a, %1
  py.return %2
}

// -----

// Iterators over iterators; a range's own items are found without one.

// CHECK-LABEL: func.func @iterators(
// CHECK-SAME:    %[[A:.*]]: !typed.array<1, f64, C>, %[[N:.*]]: si32
// CHECK:         %[[BACK:.*]] = typed.reversed %[[A]] : !typed.array<1, f64, C>
// CHECK:         %[[FROM:.*]] = typed.cast %[[N]] : si32 to si64
// CHECK:         %[[COUNTED:.*]] = typed.enumerate %[[BACK]] from %[[FROM]]
// CHECK:         %[[I:.*]] = typed.iter %[[A]]
// CHECK:         typed.zip %[[COUNTED]], %[[I]]
// CHECK:         typed.for_iter
// CHECK:         ^{{.*}}(%{{.*}}: tuple<tuple<si64, f64>, f64>
py.specialize @m.iterators(!typed.array<1, f64, C>, si32) as @iterators
py.func @m.iterators(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  %reversed = py.global @m.reversed
  %enumerate = py.global @m.enumerate
  %zip = py.global @m.zip
  %0 = py.call %reversed(%a)
  %1 = py.call %enumerate(%0, %n)
  %2 = py.call %zip(%1, %a)
  %3 = py.get_iter %2
  cf.br ^head
^head:
  py.for_iter %3, ^body, ^exit
^body(%item: !py.object):
  cf.br ^head
^exit:
  %none = py.constant #py.none
  py.return %none
}

// -----

// The functions of operator are the operators; a constant slice has known parts.

// CHECK-LABEL: func.func @operators(
// CHECK-SAME:    %[[X:.*]]: f64, %[[A:.*]]: !typed.array<1, f64, C>)
// CHECK:         %[[SUM:.*]] = typed.binary add %[[X]], %[[X]] : f64
// CHECK:         %[[LESS:.*]] = typed.compare lt %[[SUM]], %[[X]] : f64
// CHECK:         %[[STOP:.*]] = typed.constant 4 : si64
// CHECK:         %[[VIEW:.*]] = typed.view %[[A]][%{{.*}}] : !typed.array<1, f64, C>
// CHECK:         typed.tuple(%[[LESS]], %{{.*}}, %[[VIEW]])
py.binding @"m.operator" = #py.module<"operator">
py.binding @"m.part" = #py.slice<[#py.none, 4 : i64, #py.none]>
py.specialize @m.operators(f64, !typed.array<1, f64, C>) as @operators
py.func @m.operators(%x, %a) attributes {arg_names = ["x", "a"], globals = "m"} {
  %operator = py.global @"m.operator"
  %add = py.getattr %operator "add"
  %lt = py.getattr %operator "lt"
  %0 = py.call %add(%x, %x)
  %1 = py.call %lt(%0, %x)
  %part = py.global @"m.part"
  %stop = py.getattr %part "stop"
  %2 = py.getitem %a[%part]
  %3 = py.build_tuple(%1, %stop, %2)
  py.return %3
}

// -----

// The functions of cmath take real numbers as complex ones.

// CHECK-LABEL: func.func @complex(
// CHECK:         %[[Z:.*]] = typed.cast %{{.*}} : f64 to complex<f64>
// CHECK:         typed.unary sqrt %[[Z]] : complex<f64>
// CHECK:         typed.unary isnan %{{.*}} : complex<f32> -> i1
py.binding @"m.cmath" = #py.module<"cmath">
py.specialize @m.complex(f64, complex<f32>) as @complex
py.func @m.complex(%x, %z) attributes {arg_names = ["x", "z"], globals = "m"} {
  %cmath = py.global @"m.cmath"
  %sqrt = py.getattr %cmath "sqrt"
  %isnan = py.getattr %cmath "isnan"
  %0 = py.call %sqrt(%x)
  %1 = py.call %isnan(%z)
  %2 = py.build_tuple(%0, %1)
  py.return %2
}
