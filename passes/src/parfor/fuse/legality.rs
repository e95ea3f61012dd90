//! The legality of fusing two parallel loops.

use super::accesses::{Accesses, Conflict};
use crate::{
    infra::{OperationExt, ValueExt},
    parfor::{
        effects::{Footprint, Raises, may_alias},
        nest::Nest,
        shape::Extent,
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// Why two loops stay apart.
#[derive(Debug)]
pub(super) struct Refusal(pub &'static str);

/// How two loops are made adjacent.
#[derive(Debug)]
pub(super) struct Plan<'c, 'a> {
    /// The operations between them that move before the first loop; the rest moves after the fused
    /// one.
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

/// No iteration of one may access what another iteration of the other writes, and errors must not
/// be reordered with other effects.
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
    check_elements(first, second)
}

/// What one operation of a body does to an array.
struct Touch<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    writes: bool,
}

/// All that a body does to arrays.
fn touches<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<Touch<'c, 'a>> {
    let mut touches = Vec::new();
    for operation in nest.operation.pre_order() {
        let mut alone = Footprint::default();
        alone.add_alone(operation);
        let mut add = |arrays: Vec<Value<'c, 'a>>, writes| {
            touches.extend(arrays.into_iter().map(|array| Touch {
                operation,
                array,
                writes,
            }));
        };
        add(alone.reads, false);
        add(alone.writes, true);
    }
    touches
}

/// What an iteration of one loop writes, only the same iteration of the other may touch.
fn check_elements<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Result<(), Refusal> {
    let (ours, theirs) = (touches(first), touches(second));
    let mut accesses = None;
    for one in &ours {
        for other in &theirs {
            if !one.writes && !other.writes || !may_alias(one.array, other.array) {
                continue;
            }
            let accesses = accesses.get_or_insert_with(|| Accesses::new(first, second));
            match accesses.conflict(one.operation, other.operation) {
                Conflict::None => {}
                Conflict::Shifted => {
                    return Err(Refusal(
                        "an element that one loop stores is touched in another iteration of the other loop",
                    ));
                }
                Conflict::Unknown => {
                    return Err(Refusal(
                        "a store may change what the other loop reads or writes",
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Splits the operations between the loops into those that may move before the first and those that
/// must follow the second.
fn reorder<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, Refusal> {
    let mut early = Vec::new();
    let mut late = vec![first.operation];
    let mut held = Footprint::of(first.operation);
    // The effects of the operations that follow: the second loop must be movable across them.
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

/// Whether an operation, nested ones included, uses a result of others.
fn depends<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, others: &[OperationRef<'c, 'a>]) -> bool {
    others.iter().any(|other| {
        other
            .result_values()
            .into_iter()
            .any(|result| result.users().iter().any(|user| user.is_within(operation)))
    })
}
