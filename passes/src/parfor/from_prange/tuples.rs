//! Scalar replacement of loop-carried tuples: they are carried element by element, but for those
//! that a user-defined reduction combines as a whole.

use super::{body::terminator, operators::whole};
use crate::infra::{
    BlockExt, Builder, OperationExt, RegionExt, ValueExt,
    ops::{AnyOp, scf, typed},
};
use melior::ir::{
    BlockRef, OperationRef, Region, Type, Value,
    operation::{OperationBuilder, OperationLike},
    r#type::TupleType,
};

/// Splits the tuples that a loop, the loops inside of it and its branches give into their
/// elements; tuples of tuples as well. Returns the loop that replaces it.
pub(super) fn split<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    mut operation: scf::For<'c, 'a>,
) -> scf::For<'c, 'a> {
    loop {
        let kept = combined(operation);
        // The loop itself comes last.
        let giving: Vec<_> = operation
            .post_order()
            .into_iter()
            .filter(|one| {
                let kind = AnyOp::of(*one);
                matches!(kind, AnyOp::Scf(scf::Op::For(_) | scf::Op::If(_)))
            })
            .map(|one| (one, Parts::of(one, &kept)))
            .filter(|(_, parts)| parts.iter().any(|one| one.elements.is_some()))
            .collect();
        if giving.is_empty() {
            return operation;
        }
        for (one, parts) in giving {
            let made = flatten(builder, one, &parts);
            if one == *operation {
                operation = scf::For::of(made).expect("the same operation with other results");
                break;
            }
        }
        forward_elements(builder, operation);
    }
}

/// The tuples that a user-defined reduction combines, anywhere in the loop.
fn combined<'c: 'a, 'a>(operation: scf::For<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let positions = 0..operation.result_values().len();
    positions
        .filter(|at| elements(operation.result_value(*at).ty()).is_some())
        .filter_map(|at| whole(operation, at))
        .flatten()
        .collect()
}

/// How a result is replaced.
struct Parts<'c> {
    r#type: Type<'c>,
    /// The types of its elements, if it is split.
    elements: Option<Vec<Type<'c>>>,
}

impl<'c> Parts<'c> {
    fn of<'a>(operation: OperationRef<'c, 'a>, kept: &[Value<'c, 'a>]) -> Vec<Self>
    where
        'c: 'a,
    {
        let results = operation.result_values().into_iter();
        let parts = results.map(|result| Self {
            r#type: result.ty(),
            elements: elements(result.ty()).filter(|_| !kept.contains(&result)),
        });
        parts.collect()
    }
}

/// The types of the elements of a tuple.
fn elements<'c>(r#type: Type<'c>) -> Option<Vec<Type<'c>>> {
    let tuple = TupleType::try_from(r#type).ok()?;
    (0..tuple.type_count())
        .map(|at| tuple.r#type(at).ok())
        .collect()
}

/// Clones an operation with elements in place of tuples among its results.
fn flatten<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    parts: &[Parts<'c>],
) -> OperationRef<'c, 'a> {
    builder.before(operation);
    let mut operands = operation.operand_values();
    let inits = match scf::For::of(operation) {
        Some(each) => operands.split_off(each.init_args_range().start),
        None => Vec::new(),
    };
    operands.extend(spread(builder, &inits, parts));
    let flat: Vec<_> = parts
        .iter()
        .flat_map(|one| one.elements.clone().unwrap_or_else(|| vec![one.r#type]))
        .collect();
    let regions = operation.region_list().len();
    let named: Vec<_> = operation.attributes().collect();
    let attributes: Vec<_> = named
        .iter()
        .map(|(name, value)| (name.as_string_ref().as_str().unwrap_or_default(), *value))
        .collect();
    let made = builder.op_with(
        operation.full_name(),
        &operands,
        &flat,
        &attributes,
        |made: OperationBuilder<'c>| {
            made.add_regions_vec((0..regions).map(|_| Region::new()).collect())
        },
    );
    for at in 0..regions {
        let Some(old) = operation.region_at(at).entry() else {
            continue;
        };
        let loop_like = operation.isa::<scf::For>();
        let mut arguments = Vec::new();
        if loop_like {
            arguments.push(builder.index_type());
            arguments.extend(&flat);
        }
        let block = builder.append_block(made.region_at(at), &arguments);
        builder.at_end(block);
        let mut given = block.argument_values();
        if loop_like {
            let carried = given.split_off(1);
            given.extend(gather(builder, parts, &carried));
        }
        builder.merge_blocks(old, block, &given);
        respread(builder, block, parts);
    }
    builder.after(made);
    let gathered = gather(builder, parts, &made.result_values());
    builder.replace_op(operation, &gathered);
    made
}

/// Yields elements in place of tuples at the end of a block.
fn respread<'c: 'a, 'a>(builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>, parts: &[Parts<'c>]) {
    let terminator = terminator(block);
    builder.before(terminator);
    let values = spread(builder, &terminator.operand_values(), parts);
    terminator.set_operand_values(&values);
}

/// The elements of tuples that are split, and all other values.
fn spread<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
    parts: &[Parts<'c>],
) -> Vec<Value<'c, 'a>> {
    let mut flat = Vec::new();
    for (value, parts) in values.iter().zip(parts) {
        match &parts.elements {
            None => flat.push(*value),
            Some(types) => flat.extend(types.iter().enumerate().map(|(at, r#type)| {
                typed::TupleGet::create(builder, *value, at as i64, *r#type).result()
            })),
        }
    }
    flat
}

/// Reassembles tuples from elements for the remaining uses.
fn gather<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Parts<'c>],
    flat: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let mut flat = flat.iter().copied();
    let mut values = Vec::new();
    for one in parts {
        match &one.elements {
            None => values.extend(flat.next()),
            Some(elements) => {
                let elements: Vec<_> = flat.by_ref().take(elements.len()).collect();
                values.push(typed::Tuple::create(builder, &elements, one.r#type).result());
            }
        }
    }
    values
}

/// Folds element accesses of tuples that are made in the loop, and removes dead tuples.
fn forward_elements<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: scf::For<'c, 'a>) {
    for get in operation.nested_ops::<typed::TupleGet>() {
        if let Some(tuple) = typed::Tuple::defining(get.tuple()) {
            let element = tuple.elements()[get.position() as usize];
            builder.replace_op(get.operation(), &[element]);
        }
    }
    for tuple in operation.nested_ops::<typed::Tuple>().into_iter().rev() {
        if tuple.is_unused() {
            builder.erase_op(tuple.operation());
        }
    }
}
