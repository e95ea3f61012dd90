//! Loops that carry in a register what they had in memory.

use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, RegionExt, ValueExt,
    copies::{Mapping, copy},
    emit::{Emit, mapped},
    ops::{marks, scf},
};
use melior::ir::{OperationRef, TypeLike, Value, operation::OperationLike};

/// A value that a loop is to carry, in terms of its body.
pub(crate) struct Carried<'c, 'a> {
    /// What it is in the first iteration.
    pub init: Value<'c, 'a>,
    /// What stands for it in the body.
    pub here: Value<'c, 'a>,
    /// What it is in the next iteration.
    pub next: Value<'c, 'a>,
}

/// Replaces a loop by one that carries further values, as the first ones, and has all of its operations but for
/// some. The builder stands behind the new loop then.
pub(crate) fn carry<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#loop: scf::For<'c, 'a>,
    carried: &[Carried<'c, 'a>],
    dropped: &[OperationRef<'c, 'a>],
) -> scf::For<'c, 'a> {
    let body = r#loop.region().entry().expect("a loop has a body");
    builder.before(*r#loop);
    let inits: Vec<_> = carried.iter().map(|one| one.init).collect();
    let inits = [&inits[..], &r#loop.init_args()[..]].concat();
    let types: Vec<_> = inits.iter().map(|init| init.ty()).collect();
    let (lower, upper) = (r#loop.lower_bound(), r#loop.upper_bound());
    let carrying = scf::For::create(builder, lower, upper, r#loop.step(), &inits, &types);
    for (name, value) in r#loop.attributes() {
        if let Ok(name) = name.as_string_ref().as_str() {
            carrying.set_attr(name, value);
        }
    }
    let arguments = [&[builder.index_type()], &types[..]].concat();
    let block = builder.append_block(carrying.region(), &arguments);
    let mut arguments = block.argument_values();
    let here: Vec<_> = arguments.drain(1..=carried.len()).collect();
    let mut mapping: Mapping = body.argument_values().into_iter().zip(arguments).collect();
    mapping.extend(carried.iter().map(|one| one.here).zip(here));
    for operation in body.operation_list() {
        if !dropped.contains(&operation) && !operation.is_terminator() {
            copy(builder, operation, &mut mapping);
        }
    }
    let end = body.terminator_op().and_then(scf::Yield::of);
    let results = end.expect("a loop's body ends with a yield").results();
    let yielded = carried.iter().map(|one| one.next).chain(results);
    let yielded: Vec<_> = yielded.map(|value| mapped(&mapping, value)).collect();
    builder.scf_yield(&yielded);
    builder.after(*carrying);
    r#loop.replace_results(&carrying.results().split_off(carried.len()));
    builder.erase_op(*r#loop);
    carrying
}

/// Whether a loop-carried float isn't a reduction that may be reassociated.
pub(crate) fn has_order<'c: 'a, 'a>(r#loop: scf::For<'c, 'a>, position: usize) -> bool {
    let body = r#loop.region().entry();
    let end = body.and_then(|body| scf::Yield::of(body.terminator_op()?));
    let next = end.and_then(|end| end.results()[position].defining_op());
    is_float(r#loop.results()[position]) && !next.is_some_and(|next| next.flag_attr(marks::REASSOC))
}

/// Whether a value is a float.
pub(crate) fn is_float(value: Value) -> bool {
    value.ty().is_f64() || value.ty().is_f32()
}
