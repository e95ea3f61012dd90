//! The helpers and the builder on small functions.

use super::*;
use crate::infra::{Builder, test_support};
use melior::{
    Context,
    ir::{
        Attribute, Module, Type,
        attribute::{IntegerAttribute, StringAttribute},
        operation::OperationLike,
    },
};

fn parse<'c>(context: &'c Context, source: &str) -> Module<'c> {
    Module::parse(context, source).expect("the module is well-formed")
}

#[test]
fn walking() {
    let context = test_support::context();
    let module = parse(
        &context,
        "func.func @f(%c: i1) { scf.if %c { scf.yield } return }",
    );
    let root = module.as_operation();
    let names = |list: Vec<melior::ir::OperationRef<'_, '_>>| -> Vec<String> {
        list.iter().map(|op| op.full_name().to_owned()).collect()
    };
    assert_eq!(
        names(root.pre_order()),
        [
            "builtin.module",
            "func.func",
            "scf.if",
            "scf.yield",
            "func.return"
        ]
    );
    assert_eq!(
        names(root.post_order()),
        [
            "scf.yield",
            "scf.if",
            "func.return",
            "func.func",
            "builtin.module"
        ]
    );

    let r#yield = root.nested("scf.yield")[0];
    assert!(r#yield.is_terminator());
    assert_eq!(r#yield.dialect(), "scf");
    assert!(r#yield.is_within(root));
    assert!(!root.is_within(r#yield));
    let function = r#yield
        .parent_named("func.func")
        .expect("it is in a function");
    assert_eq!(function.symbol_name(), Some("f"));
    assert_eq!(r#yield.lookup_symbol("f"), Some(function));
    assert_eq!(r#yield.lookup_symbol("g"), None);
}

#[test]
fn uses_and_replacement() {
    let context = test_support::context();
    let module = parse(
        &context,
        "func.func @f(%a: i32, %b: i32) -> i32 {
           %0 = arith.muli %a, %b : i32
           %1 = arith.addi %0, %0 : i32
           return %1 : i32
         }",
    );
    let root = module.as_operation();
    let (product, sum) = (root.nested("arith.muli")[0], root.nested("arith.addi")[0]);
    let value = product.result_value(0);
    assert_eq!(value.uses().len(), 2);
    assert_eq!(value.users(), [sum, sum]);
    assert_eq!(value.defining_op(), Some(product));
    assert_eq!(value.defined_by("arith.addi"), None);

    let argument = product.operand_value(1);
    assert_eq!((argument.position(), argument.defining_op()), (1, None));
    assert_eq!(argument.defining_block(), value.defining_block());

    value.replace_uses_if(argument, |r#use| r#use.operand == 1);
    assert_eq!(sum.operand_values(), [value, argument]);
    value.replace_all_uses(argument);
    assert!(product.is_unused() && product.is_trivially_dead() && product.is_pure());
    product.erase();
    assert!(root.nested("arith.muli").is_empty());
    assert!(root.verify());
}

#[test]
fn attributes() {
    let context = test_support::context();
    let module = parse(&context, "func.func private @f()");
    let op = module.as_operation().nested("func.func")[0];
    for (name, source) in [
        ("text", "\"\""),
        ("number", "-3 : i8"),
        ("unsigned", "255 : ui8"),
        ("yes", "true"),
        ("no", "false"),
        ("unit", "unit"),
        ("float", "2.5"),
        ("type", "i7"),
        ("symbol", "@a"),
        ("array", "[1, \"x\"]"),
        ("dense", "array<i64: 4, 5>"),
    ] {
        let attribute = Attribute::parse(&context, source).expect("the attribute is well-formed");
        op.set_attr(name, attribute);
    }

    assert_eq!(op.str_attr("text"), Some(""));
    assert_eq!(op.str_attr("number"), None);
    assert_eq!(op.int_attr("number"), Some(-3));
    assert_eq!(op.int_attr("unsigned"), Some(255));
    assert_eq!(op.int_attr("yes"), Some(1));
    assert!(op.flag_attr("yes") && op.flag_attr("unit"));
    assert!(!op.flag_attr("no") && !op.flag_attr("missing"));
    assert_eq!(op.float_attr("float"), Some(2.5));
    assert_eq!(op.type_attr("type"), Type::parse(&context, "i7"));
    assert_eq!(op.symbol_attr("symbol"), Some("a"));
    assert_eq!(op.array_attr("array").map(|list| list.len()), Some(2));
    assert_eq!(op.i64_array_attr("dense"), Some(vec![4, 5]));
    assert!(op.remove_attr("text") && !op.remove_attr("text"));
    assert!(op.required("text", op.str_attr("text")).is_err());
}

#[test]
fn building_in_blocks() {
    let context = test_support::context();
    let module = parse(
        &context,
        "func.func @f(%a: i32) -> i32 {
           %0 = arith.addi %a, %a : i32
           return %0 : i32
         }",
    );
    let root = module.as_operation();
    let function = root.nested("func.func")[0];
    let sum = root.nested("arith.addi")[0];
    let builder = Builder::new(&context, root);
    let i32 = Type::parse(&context, "i32").expect("i32 is a type");

    // Split the function before its return and go there through a new block with an argument.
    let entry = builder.before(sum).block();
    let end = builder.split_block(root.nested("func.return")[0]);
    let middle = builder.append_block(function.region_at(0), &[i32]);
    let two = builder.int(i32, 2);
    let product = builder.value("arith.muli", &[middle.argument_value(0), two], i32, &[]);
    builder.op_with("cf.br", &[], &[], &[], |op| op.add_successors(&[&end]));
    builder
        .at_end(entry)
        .op_with("cf.br", &[sum.result_value(0)], &[], &[], |op| {
            op.add_successors(&[&middle])
        });
    assert!(root.verify(), "{root}");

    assert_eq!(function.region_at(0).block_list(), [entry, end, middle]);
    assert_eq!(entry.successor_list(), [middle]);
    assert_eq!(end.predecessor_blocks(), [middle]);
    let dominance = Dominance::new(function);
    assert!(dominance.block(middle, end) && !dominance.block(end, middle));
    assert!(dominance.operation(sum, root.nested("func.return")[0]));
    assert!(dominance.value(product, root.nested("func.return")[0]));

    // And put it together again.
    builder.erase_op(middle.terminator_op().expect("the block has a terminator"));
    builder.merge_blocks(end, middle, &[]);
    builder.erase_op(entry.terminator_op().expect("the block has a terminator"));
    builder.merge_blocks(middle, entry, &[sum.result_value(0)]);
    assert!(root.verify(), "{root}");
    assert_eq!(function.region_at(0).block_list(), [entry]);
}

#[test]
fn cloning() {
    let context = test_support::context();
    let module = parse(
        &context,
        "func.func @f(%a: i32, %b: i32) {
           %0 = arith.addi %a, %a : i32
           return
         }",
    );
    let root = module.as_operation();
    let sum = root.nested("arith.addi")[0];
    let entry = sum.parent_block().expect("it is in a block");
    let (a, b) = (entry.argument_value(0), entry.argument_value(1));
    let builder = Builder::new(&context, root);

    let clone = builder.after(sum).clone_op(sum, &[(a, b)]);
    assert_eq!(clone.operand_values(), [b, b]);
    builder.modify(clone, || clone.set_operand_value(0, a));
    assert_eq!(clone.operand_values(), [a, b]);
    assert_eq!(entry.operation_list()[1], clone);

    clone.place_before(sum);
    assert_eq!(entry.first(), Some(clone));
    let attribute = StringAttribute::new(&context, "x");
    clone.set_attr("tag", attribute);
    assert_eq!(clone.str_attr("tag"), Some("x"));
    let i32 = a.ty();
    let constant = builder.constant(i32, IntegerAttribute::new(i32, 4).into());
    builder.replace_op(clone, &[constant]);
    assert!(root.verify());
}

#[test]
#[should_panic(expected = "no loaded dialect has an operation 'no.such'")]
fn unknown_operation() {
    let context = test_support::context();
    let module = parse(&context, "");
    Builder::new(&context, module.as_operation())
        .at_start(module.body())
        .op("no.such", &[], &[], &[]);
}

/// A function whose operations use each other more than once, and what is erased from its last one on.
fn names_after_erasing(source: &str, may_go: &str) -> Vec<String> {
    let context = test_support::context();
    let module = parse(&context, source);
    let root = module.as_operation();
    let function = root.nested("func.func")[0];
    let values: Vec<_> = function
        .nested("arith.cmpi")
        .iter()
        .flat_map(|last| [last.result_value(0), last.result_value(0)])
        .collect();
    erase_unused(values, |operation| operation.full_name() != may_go);
    assert!(root.verify());
    let body = function.region_at(0).entry().expect("it has a body");
    let left = body.operation_list().into_iter();
    left.map(|operation| operation.full_name().to_owned())
        .collect()
}

#[test]
fn erasing_what_became_dead() {
    // Operands that are one value, a value given twice, and one that two operations use.
    let source = "func.func @f(%a: i32) {
       %0 = arith.muli %a, %a : i32
       %1 = arith.addi %0, %0 : i32
       %2 = arith.cmpi slt, %1, %1 : i32
       %3 = arith.subi %1, %0 : i32
       %4 = arith.cmpi eq, %3, %1 : i32
       return
     }";
    assert_eq!(names_after_erasing(source, ""), ["func.return"]);
    // What may not go keeps what it uses.
    assert_eq!(
        names_after_erasing(source, "arith.addi"),
        ["arith.muli", "arith.addi", "func.return"]
    );
    let used = "func.func @f(%a: i32) -> i32 {
       %0 = arith.muli %a, %a : i32
       %1 = arith.cmpi slt, %0, %0 : i32
       return %0 : i32
     }";
    assert_eq!(names_after_erasing(used, ""), ["arith.muli", "func.return"]);
    // What an operation holds goes with it or stays.
    let region = "func.func @f(%c: i1, %a: i32) {
       %0 = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %a : i32 }
       %1 = arith.cmpi slt, %0, %0 : i32
       return
     }";
    assert_eq!(names_after_erasing(region, ""), ["scf.if", "func.return"]);
}
