//! When two parallel loops may be merged.

use crate::{
    infra::{OperationExt, ValueExt},
    parfor::{
        effects::{Footprint, Raises, may_alias},
        nest::Nest,
        shape::Extent,
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::array_type;

/// Why two loops stay apart.
#[derive(Debug)]
pub(super) struct Refusal(pub &'static str);

/// How two loops are brought together.
#[derive(Debug)]
pub(super) struct Plan<'c, 'a> {
    /// What stands between them and goes before the first; the rest follows the merged loop.
    pub early: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// Decides about two loops of one block, the first standing before the second.
    pub fn new(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Result<Self, Refusal> {
        if !same_space(first, second) {
            return Err(Refusal("the loops aren't known to run over equal spaces"));
        }
        if first.serial != second.serial {
            return Err(Refusal("only one of the loops may run on threads"));
        }
        check_uses(first, second)?;
        check_memory(first, second)?;
        Ok(Self {
            early: reorder(first, second)?,
        })
    }
}

/// Whether the second loop uses a result of the first.
pub(super) fn feeds<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> bool {
    depends(second.operation, &[first.operation])
}

fn same_space<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> bool {
    first.extents.len() == second.extents.len()
        && first
            .extents
            .iter()
            .zip(&second.extents)
            .all(|(a, b)| a == b || Extent::of(*a) == Extent::of(*b))
}

/// The second loop may use the first one's results only as elements at its own indices.
fn check_uses<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Result<(), Refusal> {
    let indices = second.indices();
    for array in first.fresh() {
        for user in array.users() {
            if user.is_within(second.operation) && !loads_at(user, array, &indices) {
                return Err(Refusal(
                    "it needs other elements than the one at its own indices",
                ));
            }
        }
    }
    let needs_result = first.reduced().into_iter().any(|value| {
        value
            .users()
            .iter()
            .any(|user| user.is_within(second.operation))
    });
    if needs_result {
        return Err(Refusal("it needs the result of a reduction"));
    }
    Ok(())
}

fn loads_at<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> bool {
    operation.is("typed.load")
        && operation.operand_value(0) == array
        && operation.operand_values()[1..] == *indices
}

/// No iteration of one may touch what another iteration of the other writes, and errors must not
/// change places with anything.
fn check_memory<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Result<(), Refusal> {
    let one = Footprint::of(first.operation);
    let other = Footprint::of(second.operation);
    if one.unknown || other.unknown {
        return Err(Refusal("a call in it may do anything"));
    }
    let raises = |footprint: &Footprint| footprint.raises != Raises::Nothing;
    if raises(&one) && (raises(&other) || other.writes_anything())
        || raises(&other) && one.writes_anything()
    {
        return Err(Refusal(
            "an error would be raised earlier or later than it should",
        ));
    }
    let pairs = |left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]| {
        left.iter().all(|a| {
            right
                .iter()
                .all(|b| !may_alias(*a, *b) || a == b && is_pointwise(*a, first, second))
        })
    };
    if pairs(&one.writes, &other.reads)
        && pairs(&one.reads, &other.writes)
        && pairs(&one.writes, &other.writes)
    {
        Ok(())
    } else {
        Err(Refusal(
            "a store may change what the other loop reads or writes",
        ))
    }
}

/// Whether both loops touch an array at their own indices only, and those are different elements.
fn is_pointwise<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
) -> bool {
    let injective = array_type(array.ty()).is_some_and(|array| array.layout.is_contiguous());
    injective
        && [first, second].into_iter().all(|nest| {
            let indices = nest.indices();
            array
                .users()
                .into_iter()
                .filter(|user| user.is_within(nest.operation))
                .all(|user| {
                    loads_at(user, array, &indices)
                        || user.is("typed.store") && user.operand_values()[2..] == *indices
                })
        })
}

/// Sorts what stands between the loops into what may go before the first and what must follow it.
fn reorder<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, Refusal> {
    let mut early = Vec::new();
    let mut late = vec![first.operation];
    let mut held = Footprint::of(first.operation);
    // What the late operations without the first loop do: the second one must get past them.
    let mut passed = Footprint::default();
    let mut next = first.operation.next_in_block();
    while let Some(operation) = next {
        if operation == second.operation {
            break;
        }
        let footprint = Footprint::of(operation);
        if depends(operation, &late) || footprint.conflicts(&held) {
            late.push(operation);
            held.add(operation);
            passed.add(operation);
        } else {
            early.push(operation);
        }
        next = operation.next_in_block();
    }
    if depends(second.operation, &late[1..]) || Footprint::of(second.operation).conflicts(&passed) {
        return Err(Refusal(
            "it depends on something that depends on the first loop",
        ));
    }
    Ok(early)
}

/// Whether an operation or something inside of it uses a result of others.
fn depends<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, others: &[OperationRef<'c, 'a>]) -> bool {
    others.iter().any(|other| {
        other
            .result_values()
            .into_iter()
            .any(|result| result.users().iter().any(|user| user.is_within(operation)))
    })
}
