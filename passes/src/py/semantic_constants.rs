//! `py-semantic-constants`: what the types of arguments say becomes constant.
//!
//! Numba's `RewriteSemanticConstants`: the number of an array's dimensions and the length of a
//! tuple, so that branches on them can be pruned before inference types both sides.

use super::{bindings::Bindings, fixup_args::argument_type};
use crate::{
    infra::{Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ops::py},
    types::tuples,
};
use melior::ir::{OperationRef, Value, attribute::IntegerAttribute, r#type::IntegerType};
use pyopt_dialects::typed::TypedType;

/// `array.ndim` and `len(tuple)`.
pub static PASS: PassSpec = PassSpec {
    description: "The attribute `ndim` of an argument that is an array, and `len` of an argument \
                  that is a tuple or of a tuple made in the function, become constants. Argument \
                  types come from `py-fixup-args`.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "constants",
        "values that became constants",
    )],
    ..PassSpec::new(
        "py-semantic-constants",
        "make constants of what argument types say",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for operation in root.pre_order() {
        let Some(number) = number_of(&bindings, operation) else {
            continue;
        };
        let int = IntegerType::new(cx.context(), 64).into();
        let value = IntegerAttribute::new(int, number as i64).into();
        builder.before(operation);
        let constant = py::Constant::create(&builder, value).result();
        builder.replace_op(operation, &[constant]);
        cx.bump("constants", 1);
    }
    Ok(())
}

/// The number that an operation gives whenever it gives one.
fn number_of<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Option<usize> {
    match py::Op::of(operation)? {
        py::Op::GetAttr(attribute) if attribute.name() == "ndim" => {
            match TypedType::from(argument_type(attribute.object())?) {
                TypedType::Array(array) => Some(array.rank),
                _ => None,
            }
        }
        py::Op::Call(call) if call.keywords().is_none() => {
            let &[argument] = call.args().as_slice() else {
                return None;
            };
            let length = length_of(argument)?;
            (bindings.name_of(call.callee())? == "builtins.len").then_some(length)
        }
        _ => None,
    }
}

fn length_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<usize> {
    match py::BuildTuple::defining(value) {
        Some(tuple) => Some(tuple.elements().len()),
        None => Some(tuples::elements(argument_type(value)?)?.len()),
    }
}
