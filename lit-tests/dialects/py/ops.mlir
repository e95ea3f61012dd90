// Round trip of every operation of the py dialect.
// RUN: %pyopt %s | %pyopt | FileCheck %s
// RUN: %pyopt %s --mlir-print-op-generic | %pyopt | FileCheck %s
// RUN: %pyopt %s --emit-bytecode | %pyopt | FileCheck %s

// CHECK-LABEL: py.code @raw {
// CHECK-SAME: argcount = 1 : i64, bytecode = "\97\00"
// CHECK-SAME: consts = [#py.none, 1, 2.500000e+00, "s", true, [1, #py.none], @raw.inner]
py.code @raw {argcount = 1 : i64, bytecode = "\97\00",
  consts = [#py.none, 1 : i64, 2.5 : f64, "s", true, [1 : i64, #py.none], @raw.inner],
  exceptiontable = "", filename = "f.py", firstlineno = 1 : i64, flags = 3 : i64,
  globals = "m", kwonlyargcount = 0 : i64, linetable = "", localspluskinds = " ",
  localsplusnames = ["x"], names = ["n"], posonlyargcount = 0 : i64, qualname = "raw",
  stacksize = 2 : i64, version = "3.11"}

// CHECK: py.binding @m.np = #py.module<"numpy">
py.binding @m.np = #py.module<"numpy">
// CHECK: py.binding @m.sqrt = #py.named<"numpy.sqrt">
py.binding @m.sqrt = #py.named<"numpy.sqrt">
// CHECK: py.binding @m.single = 1.000000e-01 : f32
py.binding @m.single = 0.1 : f32
// CHECK: py.binding @m.byte = -3 : si8
py.binding @m.byte = -3 : si8
// CHECK: py.binding @m.tables = [dense<[1, 2]> : tensor<2xsi64>, [#py.function<@constants>, 2]]
py.binding @m.tables = [dense<[1, 2]> : tensor<2xsi64>, [#py.function<@constants>, 2]]
// CHECK: py.binding @m.Full = #py.exception_class<["m.Full@0", "Exception", "BaseException"]>
py.binding @m.Full = #py.exception_class<["m.Full@0", "Exception", "BaseException"]>
// CHECK: py.binding @m.full = #py.exception<#py.exception_class<["m.Full@0", "Exception"]>, ["shelf", 3]>
py.binding @m.full = #py.exception<#py.exception_class<["m.Full@0", "Exception"]>, ["shelf", 3]>
// CHECK: py.binding @m.p = #py.named_tuple<"Point", 0, ["x", "y"]>
py.binding @m.p = #py.named_tuple<"Point", 0, ["x", "y"]>
// CHECK: py.binding @m.s = #py.slice<[1, #py.none, 2]>
py.binding @m.s = #py.slice<[1 : i64, #py.none, 2 : i64]>
// CHECK: py.binding @m.f = #py.function<@constants>
py.binding @m.f = #py.function<@constants>
// CHECK: py.binding @m.k = #py.stencil<@constants, {cval = 0.000000e+00 : f64}>
py.binding @m.k = #py.stencil<@constants, {cval = 0.0 : f64}>
// CHECK: py.binding @m.o = #py.opaque<3, "Thing">
py.binding @m.o = #py.opaque<3, "Thing">
// CHECK: py.binding @m.weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
py.binding @m.weights = dense<[1.0, 2.0]> : tensor<2xf64>

// CHECK: py.specialize @constants() as @constants.1
py.specialize @constants() as @constants.1
// CHECK: py.specialize @operators(si64, !typed.array<1, f64, C>) -> f64 as @operators.1
py.specialize @operators(si64, !typed.array<1, f64, C>) -> f64 as @operators.1

// CHECK-LABEL: py.func @constants() attributes {arg_names = [], globals = "m"}
py.func @constants() attributes {arg_names = [], globals = "m"} {
  // CHECK: py.constant #py.none
  %0 = py.constant #py.none
  // CHECK: py.constant #py.ellipsis
  %1 = py.constant #py.ellipsis
  // CHECK: py.constant #py.int<"100000000000000000000">
  %2 = py.constant #py.int<"100000000000000000000">
  // CHECK: py.constant #py.bytes<"ab">
  %3 = py.constant #py.bytes<"ab">
  // CHECK: py.constant #py.complex<0.000000e+00 : f64, 1.000000e+00 : f64>
  %4 = py.constant #py.complex<0.0 : f64, 1.0 : f64>
  // CHECK: py.constant #py.frozenset<[1, 2]>
  %5 = py.constant #py.frozenset<[1 : i64, 2 : i64]>
  // CHECK: %[[G:.*]] = py.global @m.np
  %6 = py.global @m.np
  // CHECK: py.set_global @m.np = %[[G]]
  py.set_global @m.np = %6
  py.return %0
}

// CHECK-LABEL: py.func @operators(%{{.*}}, %{{.*}}) attributes {arg_names = ["a", "b"], globals = "m"}
py.func @operators(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  // CHECK: py.unary neg
  %0 = py.unary neg %a
  // CHECK: py.unary not
  %1 = py.unary not %a
  // CHECK: py.binary floordiv
  %2 = py.binary floordiv %0, %b
  // CHECK: py.inplace matmul
  %3 = py.inplace matmul %2, %b
  // CHECK: py.compare le
  %4 = py.compare le %3, %b
  // CHECK: py.contains %{{.*}} in %{{.*}}
  %5 = py.contains %a in %b
  // CHECK: py.contains not %{{.*}} in %{{.*}}
  %6 = py.contains not %a in %b
  // CHECK: py.is %
  %7 = py.is %a, %b
  // CHECK: py.is not %
  %8 = py.is not %a, %b
  // CHECK: py.truth %
  %9 = py.truth %8
  // CHECK: py.del %
  py.del %8
  // CHECK: py.unbound
  %10 = py.unbound
  // CHECK: py.check_bound %{{.*}} "x"
  %11 = py.check_bound %10 "x"
  py.return %11
}

// CHECK-LABEL: py.func @items
py.func @items(%o, %i) attributes {arg_names = ["o", "i"], globals = "m"} {
  // CHECK: py.getattr %{{.*}} "shape"
  %0 = py.getattr %o "shape"
  // CHECK: py.setattr %{{.*}} "x" = %
  py.setattr %o "x" = %0
  // CHECK: py.delattr %{{.*}} "x"
  py.delattr %o "x"
  // CHECK: py.slice %{{.*}}, %{{.*}}, %
  %1 = py.slice %i, %i, %i
  // CHECK: py.getitem %{{.*}}[%{{.*}}]
  %2 = py.getitem %o[%1]
  // CHECK: py.setitem %{{.*}}[%{{.*}}] = %
  py.setitem %o[%i] = %2
  // CHECK: py.delitem %{{.*}}[%{{.*}}]
  py.delitem %o[%i]
  py.return %2
}

// CHECK-LABEL: py.func @calls
// CHECK-SAME: varargs, varkeywords
py.func @calls(%f, %args, %kwargs) attributes {arg_names = ["f", "args", "kwargs"], globals = "m", varargs, varkeywords} {
  // CHECK: py.call %{{.*}}()
  %0 = py.call %f()
  // CHECK: py.call %{{.*}}(%{{.*}}, %{{.*}}) keywords ["dtype"]
  %1 = py.call %f(%0, %0) keywords ["dtype"]
  // CHECK: py.call_ex %{{.*}}(args %{{.*}})
  %2 = py.call_ex %f(args %args)
  // CHECK: py.call_ex %{{.*}}(args %{{.*}}, kwargs %{{.*}})
  %3 = py.call_ex %f(args %args, kwargs %kwargs)
  // CHECK: py.make_function @raw flags 1(%{{.*}})
  %4 = py.make_function @raw flags 1(%args)
  py.return %4
}

// CHECK-LABEL: py.func @containers
py.func @containers(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: py.build_tuple(%{{.*}}, %{{.*}})
  %0 = py.build_tuple(%a, %a)
  // CHECK: py.build_list()
  %1 = py.build_list()
  // CHECK: py.build_set(%{{.*}})
  %2 = py.build_set(%a)
  // CHECK: py.build_map(%{{.*}}, %{{.*}})
  %3 = py.build_map(%a, %a)
  // CHECK: py.format %{{.*}} "r" spec %
  %4 = py.format %a "r" spec %a
  // CHECK: py.build_string(%{{.*}})
  %5 = py.build_string(%4)
  // CHECK: py.extend list_append %{{.*}}, %
  py.extend list_append %1, %a
  // CHECK: py.map_add %{{.*}}[%{{.*}}] = %
  py.map_add %3[%a] = %a
  // CHECK: py.list_to_tuple %
  %6 = py.list_to_tuple %1
  // CHECK: %{{.*}}:2 = py.unpack %{{.*}} : !py.object, !py.object
  %7:2 = py.unpack %6 : !py.object, !py.object
  // CHECK: %{{.*}}:3 = py.unpack_ex %{{.*}} before 1 : !py.object, !py.object, !py.object
  %8:3 = py.unpack_ex %6 before 1 : !py.object, !py.object, !py.object
  py.return %7#0
}

// CHECK-LABEL: py.func @cells_and_imports
py.func @cells_and_imports(%a) attributes {arg_names = ["a"], globals = "m"} {
  // CHECK: py.make_cell{{$}}
  %0 = py.make_cell
  // CHECK: py.make_cell(%{{.*}})
  %1 = py.make_cell(%a)
  // CHECK: py.store_cell %{{.*}} = %
  py.store_cell %0 = %a
  // CHECK: py.load_cell %{{.*}} "x"
  %2 = py.load_cell %0 "x"
  // CHECK: py.import "numpy" level %{{.*}} from %
  %3 = py.import "numpy" level %a from %a
  // CHECK: py.import_from %{{.*}} "sqrt"
  %4 = py.import_from %3 "sqrt"
  py.return %4
}

// CHECK-LABEL: py.func @loop
py.func @loop(%n) attributes {arg_names = ["n"], globals = "m"} {
  // CHECK: %[[IT:.*]] = py.get_iter %
  %it = py.get_iter %n
  %0 = py.constant 0 : i64
  cf.br ^head(%0 : !py.object)
^head(%acc: !py.object):
  // CHECK: py.for_iter %[[IT]], ^[[BODY:.*]](%{{.*}}), ^[[EXIT:.*]]{{$}}
  py.for_iter %it, ^body(%acc), ^exit
// CHECK: ^[[BODY]](%{{.*}}: !py.object, %{{.*}}: !py.object):
^body(%item: !py.object, %sum: !py.object):
  %1 = py.inplace add %sum, %item
  cf.br ^head(%1 : !py.object)
^exit:
  py.return %acc
}

// CHECK-LABEL: py.func @raises
py.func @raises(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.truth %a
  cf.cond_br %0, ^with, ^without
^with:
  // CHECK: py.raise %{{.*}} from %
  py.raise %a from %a
^without:
  // CHECK: py.raise{{$}}
  py.raise
}
