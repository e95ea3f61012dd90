//! Lifting of compiled functions to the `py` dialect.

mod common;

use common::{code_module, context, function, lifted};
use melior::ir::{BlockLike, Module, operation::OperationPrintingFlags};
use pyopt_frontend::code_op::read_code;

fn lifted_text(name: &str) -> String {
    lifted(&function(name), OperationPrintingFlags::new())
}

#[test]
fn code_operations_hold_the_whole_code_object() {
    let context = context();
    let names = ["add", "large_constants", "guarded", "forever"];
    for code in names.map(function) {
        let module = code_module(&context, &code);
        let text = module.as_operation().to_string();
        let parsed = Module::parse(&context, &text).expect("the text parses");
        let read = read_code(&context, parsed.body().first_operation().unwrap())
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(read.code == *code);
        assert_eq!((&*read.symbol, &*read.globals), (&*code.name, "m"));
    }
}

#[test]
fn straight_line_code_has_no_block_arguments() {
    insta::assert_snapshot!(lifted_text("add"), @r#"
    module {
      py.func @add(%arg0, %arg1) attributes {arg_names = ["a", "b"], globals = "m"} {
        %0 = py.binary add %arg0, %arg1
        py.return %0
      }
    }
    "#);
}

#[test]
fn loops_carry_what_changes() {
    insta::assert_snapshot!(lifted_text("doloops"), @r#"
    module {
      py.func @doloops(%arg0) attributes {arg_names = ["n"], globals = "m"} {
        %0 = py.constant 0 : i64
        %1 = py.global @m.range
        %2 = py.call %1(%arg0)
        %3 = py.get_iter %2
        cf.br ^bb1(%0 : !py.object)
      ^bb1(%4: !py.object):  // 2 preds: ^bb0, ^bb4
        py.for_iter %3, ^bb2, ^bb5(%4)
      ^bb2(%5: !py.object):  // pred: ^bb1
        %6 = py.constant 1 : i64
        %7 = py.inplace add %4, %6
        %8 = py.constant 10 : i64
        %9 = py.compare eq %arg0, %8
        %10 = py.truth %9
        cf.cond_br %10, ^bb3, ^bb4
      ^bb3:  // pred: ^bb2
        cf.br ^bb5(%7 : !py.object)
      ^bb4:  // pred: ^bb2
        cf.br ^bb1(%7 : !py.object)
      ^bb5(%11: !py.object):  // 2 preds: ^bb1, ^bb3
        py.return %11
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("while_sum"), @r#"
    module {
      py.func @while_sum(%arg0) attributes {arg_names = ["n"], globals = "m"} {
        %0 = py.constant 0.000000e+00 : f64
        %1 = py.constant 0 : i64
        %2 = py.compare gt %arg0, %1
        %3 = py.truth %2
        cf.cond_br %3, ^bb1(%arg0, %0 : !py.object, !py.object), ^bb2(%0 : !py.object)
      ^bb1(%4: !py.object, %5: !py.object):  // 2 preds: ^bb0, ^bb1
        %6 = py.inplace add %5, %4
        %7 = py.constant 1 : i64
        %8 = py.inplace sub %4, %7
        %9 = py.constant 0 : i64
        %10 = py.compare gt %8, %9
        %11 = py.truth %10
        cf.cond_br %11, ^bb1(%8, %6 : !py.object, !py.object), ^bb2(%6 : !py.object)
      ^bb2(%12: !py.object):  // 2 preds: ^bb0, ^bb1
        py.return %12
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("nested"), @r#"
    module {
      py.func @nested(%arg0, %arg1, %arg2) attributes {arg_names = ["a", "n", "m"], globals = "m"} {
        %0 = py.global @m.range
        %1 = py.call %0(%arg1)
        %2 = py.get_iter %1
        cf.br ^bb1
      ^bb1:  // 2 preds: ^bb0, ^bb7
        py.for_iter %2, ^bb2, ^bb8
      ^bb2(%3: !py.object):  // pred: ^bb1
        %4 = py.global @m.range
        %5 = py.call %4(%arg2)
        %6 = py.get_iter %5
        cf.br ^bb3
      ^bb3:  // 3 preds: ^bb2, ^bb5, ^bb6
        py.for_iter %6, ^bb4, ^bb7
      ^bb4(%7: !py.object):  // pred: ^bb3
        %8 = py.build_tuple(%3, %7)
        %9 = py.getitem %arg0[%8]
        %10 = py.constant 0 : i64
        %11 = py.compare lt %9, %10
        %12 = py.truth %11
        cf.cond_br %12, ^bb5, ^bb6
      ^bb5:  // pred: ^bb4
        cf.br ^bb3
      ^bb6:  // pred: ^bb4
        %13 = py.build_tuple(%3, %7)
        %14 = py.getitem %arg0[%13]
        %15 = py.constant 2 : i64
        %16 = py.binary mul %14, %15
        %17 = py.build_tuple(%3, %7)
        py.setitem %arg0[%17] = %16
        cf.br ^bb3
      ^bb7:  // pred: ^bb3
        cf.br ^bb1
      ^bb8:  // pred: ^bb1
        py.return %arg0
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("forever"), @r#"
    module {
      py.func @forever(%arg0) attributes {arg_names = ["n"], globals = "m"} {
        cf.br ^bb1(%arg0 : !py.object)
      ^bb1(%0: !py.object):  // 2 preds: ^bb0, ^bb1
        %1 = py.constant 1 : i64
        %2 = py.inplace add %0, %1
        cf.br ^bb1(%2 : !py.object)
      }
    }
    "#);
}

#[test]
fn values_of_expressions_with_branches_become_arguments() {
    insta::assert_snapshot!(lifted_text("conditional"), @r#"
    module {
      py.func @conditional(%arg0, %arg1) attributes {arg_names = ["a", "b"], globals = "m"} {
        %0 = py.global @m.max
        %1 = py.compare gt %arg0, %arg1
        %2 = py.truth %1
        cf.cond_br %2, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        cf.br ^bb3(%arg0 : !py.object)
      ^bb2:  // pred: ^bb0
        %3 = py.unary neg %arg1
        cf.br ^bb3(%3 : !py.object)
      ^bb3(%4: !py.object):  // 2 preds: ^bb1, ^bb2
        %5 = py.constant 0 : i64
        %6 = py.call %0(%4, %5)
        py.return %6
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("chained"), @r#"
    module {
      py.func @chained(%arg0, %arg1, %arg2) attributes {arg_names = ["a", "b", "c"], globals = "m"} {
        %0 = py.compare lt %arg0, %arg1
        %1 = py.truth %0
        cf.cond_br %1, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        %2 = py.compare lt %arg1, %arg2
        cf.br ^bb3(%2 : !py.object)
      ^bb2:  // pred: ^bb0
        cf.br ^bb3(%0 : !py.object)
      ^bb3(%3: !py.object):  // 2 preds: ^bb1, ^bb2
        py.return %3
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("logical"), @r#"
    module {
      py.func @logical(%arg0, %arg1, %arg2) attributes {arg_names = ["a", "b", "c"], globals = "m"} {
        %0 = py.truth %arg0
        cf.cond_br %0, ^bb1, ^bb3(%arg0 : !py.object)
      ^bb1:  // pred: ^bb0
        %1 = py.truth %arg1
        cf.cond_br %1, ^bb3(%arg1 : !py.object), ^bb2
      ^bb2:  // pred: ^bb1
        %2 = py.unary not %arg2
        cf.br ^bb3(%2 : !py.object)
      ^bb3(%3: !py.object):  // 3 preds: ^bb0, ^bb1, ^bb2
        py.return %3
      }
    }
    "#);
}

#[test]
fn locals_are_checked_only_where_they_may_be_unbound() {
    insta::assert_snapshot!(lifted_text("maybe_unbound"), @r#"
    module {
      py.func @maybe_unbound(%arg0) attributes {arg_names = ["flag"], globals = "m"} {
        %0 = py.unbound
        %1 = py.truth %arg0
        cf.cond_br %1, ^bb1, ^bb2(%0 : !py.object)
      ^bb1:  // pred: ^bb0
        %2 = py.constant 1 : i64
        cf.br ^bb2(%2 : !py.object)
      ^bb2(%3: !py.object):  // 2 preds: ^bb0, ^bb1
        %4 = py.check_bound %3 "value"
        py.return %4
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("unbound_after_loop"), @r#"
    module {
      py.func @unbound_after_loop(%arg0) attributes {arg_names = ["n"], globals = "m"} {
        %0 = py.unbound
        %1 = py.global @m.range
        %2 = py.call %1(%arg0)
        %3 = py.get_iter %2
        cf.br ^bb1(%0 : !py.object)
      ^bb1(%4: !py.object):  // 2 preds: ^bb0, ^bb2
        py.for_iter %3, ^bb2, ^bb3
      ^bb2(%5: !py.object):  // pred: ^bb1
        cf.br ^bb1(%5 : !py.object)
      ^bb3:  // pred: ^bb1
        %6 = py.check_bound %4 "i"
        py.return %6
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("deleted"), @r#"
    module {
      py.func @deleted(%arg0) attributes {arg_names = ["x"], globals = "m"} {
        %0 = py.unbound
        %1 = py.check_bound %0 "x"
        py.return %1
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("checked_once"), @r#"
    module {
      py.func @checked_once(%arg0, %arg1) attributes {arg_names = ["flag", "n"], globals = "m"} {
        %0 = py.unbound
        %1 = py.truth %arg0
        cf.cond_br %1, ^bb1, ^bb2(%0 : !py.object)
      ^bb1:  // pred: ^bb0
        cf.br ^bb2(%arg1 : !py.object)
      ^bb2(%2: !py.object):  // 2 preds: ^bb0, ^bb1
        %3 = py.check_bound %2 "value"
        %4 = py.global @m.range
        %5 = py.call %4(%arg1)
        %6 = py.get_iter %5
        cf.br ^bb3(%3 : !py.object)
      ^bb3(%7: !py.object):  // 2 preds: ^bb2, ^bb4
        py.for_iter %6, ^bb4, ^bb5
      ^bb4(%8: !py.object):  // pred: ^bb3
        %9 = py.inplace add %7, %3
        cf.br ^bb3(%9 : !py.object)
      ^bb5:  // pred: ^bb3
        py.return %7
      }
    }
    "#);
}

#[test]
fn swaps_move_values_only() {
    insta::assert_snapshot!(lifted_text("swapped"), @r#"
    module {
      py.func @swapped(%arg0, %arg1) attributes {arg_names = ["a", "b"], globals = "m"} {
        %0 = py.binary sub %arg1, %arg0
        py.return %0
      }
    }
    "#);
}

#[test]
fn nested_functions_read_variables_of_the_outer_one_through_their_closure() {
    insta::assert_snapshot!(lifted_text("scale"), @r#"
    module {
      py.func @scale(%arg0, %arg1, %arg2, %arg3) attributes {arg_names = ["values", "factor", "rest", "options"], globals = "m", kwonlyargcount = 1 : i64, varargs, varkeywords} {
        %0 = py.make_cell(%arg1)
        %1 = py.build_tuple(%0)
        %2 = py.make_function @"scale.<locals>.<listcomp>" flags 8(%1)
        %3 = py.get_iter %arg0
        %4 = py.call %2(%3)
        py.return %4
      }
      py.func @"scale.<locals>.<listcomp>"(%arg0) attributes {arg_names = [".0"], freevars = ["factor"], globals = "m"} {
        %0 = py.free_cell 0 @"scale.<locals>.<listcomp>.factor"
        %1 = py.build_list()
        cf.br ^bb1
      ^bb1:  // 2 preds: ^bb0, ^bb2
        py.for_iter %arg0, ^bb2, ^bb3
      ^bb2(%2: !py.object):  // pred: ^bb1
        %3 = py.load_cell %0 "factor" free
        %4 = py.binary mul %3, %2
        py.extend list_append %1, %4
        cf.br ^bb1
      ^bb3:  // pred: ^bb1
        py.return %1
      }
    }
    "#);
}

#[test]
fn constants_are_attributes() {
    insta::assert_snapshot!(lifted_text("large_constants"), @r#"
    module {
      py.func @large_constants() attributes {arg_names = [], globals = "m"} {
        %0 = py.constant #py.int<"90144042682896311822508713865">
        %1 = py.constant -1.500000e+00 : f64
        %2 = py.constant #py.complex<0.000000e+00 : f64, 2.000000e+00 : f64>
        %3 = py.constant #py.bytes<"\00\FF">
        %4 = py.constant "na\C3\AFve"
        %5 = py.constant #py.ellipsis
        %6 = py.constant #py.none
        %7 = py.global @m.frozenset
        %8 = py.build_tuple(%0, %1, %2, %3, %4, %5, %6, %7)
        py.return %8
      }
    }
    "#);
}

#[test]
fn raise_and_assert_end_blocks() {
    insta::assert_snapshot!(lifted_text("checked"), @r#"
    module {
      py.func @checked(%arg0) attributes {arg_names = ["x"], globals = "m"} {
        %0 = py.constant 0 : i64
        %1 = py.compare eq %arg0, %0
        %2 = py.truth %1
        cf.cond_br %2, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        %3 = py.global @m.ValueError
        %4 = py.constant "x cannot be zero"
        %5 = py.call %3(%4)
        py.raise %5
      ^bb2:  // pred: ^bb0
        %6 = py.constant 0 : i64
        %7 = py.compare gt %arg0, %6
        %8 = py.truth %7
        cf.cond_br %8, ^bb4, ^bb3
      ^bb3:  // pred: ^bb2
        %9 = py.load_assertion_error
        %10 = py.constant "negative"
        %11 = py.call %9(%10)
        py.raise %11
      ^bb4:  // pred: ^bb2
        %12 = py.constant 1 : i64
        %13 = py.binary truediv %12, %arg0
        py.return %13
      }
    }
    "#);
}

#[test]
fn calls_containers_items_and_strings() {
    insta::assert_snapshot!(lifted_text("calls"), @r#"
    module {
      py.func @calls(%arg0, %arg1, %arg2, %arg3) attributes {arg_names = ["f", "a", "rest", "options"], globals = "m", varargs, varkeywords} {
        %0 = py.constant 1 : i64
        %1 = py.call %arg0(%arg1, %0) keywords ["key"]
        %2 = py.getattr %arg0 "method"
        %3 = py.call %2(%arg1)
        %4 = py.build_list()
        py.extend list_extend %4, %arg2
        py.extend list_append %4, %arg1
        %5 = py.list_to_tuple %4
        %6 = py.build_map()
        py.extend dict_merge %6, %arg3 for %arg0
        %7 = py.constant "last"
        %8 = py.constant #py.none
        %9 = py.build_map(%7, %8)
        py.extend dict_merge %6, %9 for %arg0
        %10 = py.call_ex %arg0(args %5, kwargs %6)
        py.return %10
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("containers"), @r#"
    module {
      py.func @containers(%arg0, %arg1, %arg2) attributes {arg_names = ["a", "b", "c"], globals = "m"} {
        %0 = py.make_cell(%arg1)
        %1 = py.load_cell %0 "b"
        %2 = py.build_list(%1, %arg2)
        %3 = py.load_cell %0 "b"
        %4 = py.build_set(%arg0, %3)
        %5 = py.load_cell %0 "b"
        %6 = py.build_map(%arg0, %5)
        %7 = py.load_cell %0 "b"
        %8 = py.constant ["x", "y"]
        %9 = py.constant "x"
        %10 = py.constant "y"
        %11 = py.build_map(%9, %arg0, %10, %7)
        %12 = py.build_tuple(%arg0, %2, %4, %6, %11)
        %13:3 = py.unpack_ex %arg2 before 1 : !py.object, !py.object, !py.object
        %14 = py.build_list()
        %15 = py.constant [1, 2, 3]
        py.extend list_extend %14, %15
        %16 = py.build_tuple(%0)
        %17 = py.make_function @"containers.<locals>.<dictcomp>" flags 8(%16)
        %18 = py.get_iter %14
        %19 = py.call %17(%18)
        %20 = py.build_tuple(%12, %13#0, %13#1, %13#2, %19)
        py.return %20
      }
      py.func @"containers.<locals>.<dictcomp>"(%arg0) attributes {arg_names = [".0"], freevars = ["b"], globals = "m"} {
        %0 = py.free_cell 0 @"containers.<locals>.<dictcomp>.b"
        %1 = py.build_map()
        cf.br ^bb1
      ^bb1:  // 3 preds: ^bb0, ^bb2, ^bb3
        py.for_iter %arg0, ^bb2, ^bb4
      ^bb2(%2: !py.object):  // pred: ^bb1
        %3 = py.load_cell %0 "b" free
        %4 = py.contains %2 in %3
        %5 = py.truth %4
        cf.cond_br %5, ^bb3, ^bb1
      ^bb3:  // pred: ^bb2
        %6 = py.binary mul %2, %2
        py.map_add %1[%2] = %6
        cf.br ^bb1
      ^bb4:  // pred: ^bb1
        py.return %1
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("items"), @r#"
    module {
      py.func @items(%arg0, %arg1, %arg2) attributes {arg_names = ["a", "i", "v"], globals = "m"} {
        py.setitem %arg0[%arg1] = %arg2
        %0 = py.constant #py.none
        %1 = py.constant #py.none
        %2 = py.constant 2 : i64
        %3 = py.slice %0, %1, %2
        %4 = py.getitem %arg0[%3]
        %5 = py.constant 1 : i64
        %6 = py.constant #py.none
        %7 = py.slice %5, %arg1, %6
        py.setitem %arg0[%7] = %4
        %8 = py.getattr %arg0 "other"
        py.setattr %arg0 "field" = %8
        %9 = py.getitem %arg0[%arg1]
        %10 = py.constant 1 : i64
        %11 = py.inplace add %9, %10
        py.setitem %arg0[%arg1] = %11
        py.delitem %arg0[%arg1]
        py.delattr %arg0 "field"
        %12 = py.is not %arg0, %arg2
        py.return %12
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("text"), @r#"
    module {
      py.func @text(%arg0, %arg1) attributes {arg_names = ["a", "width"], globals = "m"} {
        %0 = py.format %arg0 "r"
        %1 = py.constant ": "
        %2 = py.constant ">"
        %3 = py.format %arg1 ""
        %4 = py.build_string(%2, %3)
        %5 = py.format %arg0 "" spec %4
        %6 = py.constant " "
        %7 = py.format %arg1 ""
        %8 = py.build_string(%0, %1, %5, %6, %7)
        py.return %8
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("globals_and_imports"), @r#"
    module {
      py.func @globals_and_imports(%arg0) attributes {arg_names = ["n"], globals = "m"} {
        %0 = py.constant 0 : i64
        %1 = py.constant ["sqrt"]
        %2 = py.import "math" level %0 from %1
        %3 = py.import_from %2 "sqrt"
        %4 = py.call %3(%arg0)
        py.set_global @m.last = %4
        %5 = py.global @m.np
        %6 = py.getattr %5 "cos"
        %7 = py.global @m.last
        %8 = py.call %6(%7)
        %9 = py.global @m.last
        %10 = py.binary matmul %8, %9
        py.return %10
      }
    }
    "#);
    insta::assert_snapshot!(lifted_text("none_tests"), @r#"
    module {
      py.func @none_tests(%arg0, %arg1, %arg2, %arg3) attributes {arg_names = ["a", "b", "c", "d"], globals = "m", kwonlyargcount = 1 : i64, posonlyargcount = 2 : i64} {
        %0 = py.constant #py.none
        %1 = py.is %arg0, %0
        %2 = py.truth %1
        cf.cond_br %2, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        py.return %arg1
      ^bb2:  // pred: ^bb0
        %3 = py.constant #py.none
        %4 = py.is %arg2, %3
        %5 = py.truth %4
        cf.cond_br %5, ^bb4, ^bb3
      ^bb3:  // pred: ^bb2
        %6 = py.unary not %arg3
        py.return %6
      ^bb4:  // pred: ^bb2
        %7 = py.unary invert %arg0
        py.return %7
      }
    }
    "#);
}

#[test]
fn operations_have_ranges_of_the_source() {
    let flags = OperationPrintingFlags::new().enable_debug_info(true, true);
    insta::assert_snapshot!(lifted(&function("maybe_unbound"), flags), @r#"
    #loc1 = functions.py:51:0
    #loc5 = functions.py:54:12 to :17
    #loc7 = "flag"(#loc1)
    #loc8 = "value"(#loc5)
    module {
      py.func @maybe_unbound(%arg0 "flag"(#loc1)) attributes {arg_names = ["flag"], globals = "m"} {
        %0 = py.unbound functions.py:51:0
        %1 = py.truth %arg0 functions.py:52:5 to 53:18
        cf.cond_br %1, ^bb1, ^bb2(%0 : !py.object) functions.py:52:5 to 53:18
      ^bb1:  // pred: ^bb0
        %2 = py.constant 1 : i64 functions.py:53:17 to :18
        cf.br ^bb2(%2 : !py.object) functions.py:53:9 to :14
      ^bb2(%3: !py.object "value"(#loc5)):  // 2 preds: ^bb0, ^bb1
        %4 = py.check_bound %3 "value" functions.py:54:12 to :17
        py.return %4 functions.py:54:5 to :17
      } functions.py:51:0
    } [unknown]
    #loc = [unknown]
    #loc2 = functions.py:52:5 to 53:18
    #loc3 = functions.py:53:17 to :18
    #loc4 = functions.py:53:9 to :14
    #loc6 = functions.py:54:5 to :17
    "#);
}
