//! Gives each variable that debuggers show a stack slot.

use super::{
    emit::Emit,
    externals::Externals,
    operations::{parts, take_complex},
    types::convert,
};
use crate::{
    infra::{
        Builder, OperationAttributes, OperationExt, PassContext, PassFailure, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
        ops::{arith, func, llvm, marks, typed},
    },
    types::{
        debug_layout::Shape,
        layout::{complex_part, stride_unit, tuple_elements},
    },
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{Location, OperationRef, Type, Value, operation::OperationLike, r#type::IntegerType},
};
use pyopt_dialects::typed::TypedType;
use std::collections::HashMap;

/// `typed.variable` to stores.
pub static PASS: PassSpec = PassSpec {
    description: "Each variable of a function is an `llvm.alloca` at its start, one for each type \
                  that it has, which holds zeros until it gets a value; `typed.variable` becomes \
                  stores. LLVM takes a variable that nobody watches out of memory again, and keeps \
                  account of where it is then. `describe-variables` says what is there.",
    dialects: &["arith", "builtin", "complex", "llvm", "pyopt"],
    statistics: &[StatisticSpec::new("variables", "variables with a place")],
    ..PassSpec::new(
        "store-variables",
        "give variables for debuggers a place in memory",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let externals = Externals::default();
    let e = Emit::new(&builder, &externals);
    for function in module.nested_ops::<func::Func>() {
        let mut places = HashMap::new();
        for mark in function.nested_ops::<typed::Variable>() {
            let name = mark.name();
            let r#type = mark.required(typed::Variable::TYPE_ATTR, mark.r#type())?;
            let shape = Shape::of(r#type).ok_or_else(|| {
                PassFailure::Message(format!("debuggers are told nothing of type {type}"))
            })?;
            require_lowered(cx, mark, r#type)?;
            let place = *places.entry((name, r#type.to_string())).or_insert_with(|| {
                cx.bump("variables", 1);
                place(&e, function, mark, &shape)
            });
            builder.before(*mark);
            if mark.argument().is_some() {
                // A breakpoint on the function then comes after it, as with C compilers.
                builder.at(Location::unknown(cx.context()));
            }
            let leaves = leaves(&e, r#type, &mark.value());
            for (offset, leaf) in shape.leaves().into_iter().zip(leaves) {
                let address = e.offset_by(place, offset as i32, byte(&e));
                e.store(leaf, address, None);
            }
            builder.erase_op(*mark);
        }
    }
    externals.declare(&builder, module);
    Ok(())
}

/// Refuses a variable whose value isn't yet the numbers and pointers that its type becomes.
fn require_lowered<'c>(
    cx: &PassContext<'c>,
    mark: typed::Variable<'c, '_>,
    r#type: Type<'c>,
) -> PassResult {
    let types: Vec<_> = mark.value().iter().map(|value| value.ty()).collect();
    if convert(cx.context(), r#type).as_ref() == Some(&types) {
        return Ok(());
    }
    let types: Vec<_> = types.iter().map(Type::to_string).collect();
    let message = format!(
        "'typed.variable' op has ({}), which isn't what a value of type {type} is lowered to: run \
         typed-to-memref first",
        types.join(", ")
    );
    Err(cx.error(mark.location(), message))
}

fn byte<'c>(e: &Emit<'_, 'c, '_>) -> Type<'c> {
    IntegerType::new(e.context(), 8).into()
}

/// Makes the stack slot of a variable whose first `typed.variable` is `mark`.
fn place<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    function: func::Func<'c, 'a>,
    mark: typed::Variable<'c, 'a>,
    shape: &Shape,
) -> Value<'c, 'a> {
    let entry = function.body().entry();
    e.at_start(entry.expect("a function with a variable has a body"));
    e.at(mark.location());
    let bytes = llvm_type::array(byte(e), shape.size() as u32);
    let place = e.alloca(e.i64(1), bytes, 8);
    let made = place.defining_op().expect("it was just made");
    for (name, key) in [
        (marks::VARIABLE, typed::Variable::NAME_ATTR),
        (marks::VARIABLE_TYPE, typed::Variable::TYPE_ATTR),
    ] {
        made.set_attr(name, mark.attr(key).expect("a mark has a name and a type"));
    }
    match mark.attr(typed::Variable::ARGUMENT_ATTR) {
        Some(argument) => made.set_attr(marks::ARGUMENT, argument),
        // A parameter has its value from the start.
        None => {
            // These stores get no line of their own, so that stepping doesn't stop at them.
            e.at(Location::unknown(e.context()));
            let size = e.i64(shape.size() as i64);
            llvm::Memset::create(e, place, e.zero(byte(e)), size, 0);
        }
    }
    place
}

/// The numbers and pointers of a value, in the order of [`Shape::leaves`].
fn leaves<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    r#type: Type<'c>,
    values: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    match TypedType::from(r#type) {
        TypedType::Array(array) => {
            let parts = parts(e, array, values);
            let unit = e.i64(stride_unit(array));
            let strides = parts.strides.into_iter();
            let strides = strides.map(|stride| e.bin(arith::MulI::NAME, stride, unit));
            let data = [parts.data].into_iter();
            data.chain(parts.sizes).chain(strides).collect()
        }
        // The owner comes last.
        TypedType::Str | TypedType::Bytes => values[..3].to_vec(),
        TypedType::Optional(inner) => {
            let (flag, value) = values.split_last().expect("an optional has a flag");
            let mut all = leaves(e, inner, value);
            all.push(e.to(arith::ExtUI::NAME, *flag, byte(e)));
            all
        }
        _ => match tuple_elements(r#type) {
            Some(items) => {
                let mut rest = values;
                let mut all = Vec::new();
                for item in items {
                    let count = convert(e.context(), item).map_or(0, |types| types.len());
                    let (own, others) = rest.split_at(count);
                    all.extend(leaves(e, item, own));
                    rest = others;
                }
                all
            }
            None if complex_part(values[0].ty()).is_some() => {
                let (real, imag) = take_complex(e, values[0]);
                vec![real, imag]
            }
            None if values[0].ty() == IntegerType::new(e.context(), 1).into() => {
                vec![e.to(arith::ExtUI::NAME, values[0], byte(e))]
            }
            None => values.to_vec(),
        },
    }
}
