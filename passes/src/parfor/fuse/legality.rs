//! The legality of fusing two parallel loops.

use super::{
    accesses::{Accesses, Conflict},
    summaries::{Summaries, Summary},
};
use crate::{
    analysis::{
        effects::{Footprint, Raises, any_alias, may_alias},
        nest::Nest,
        shape::storage,
        sizes::same_size,
    },
    infra::{Identity, OperationExt, PassContext, ValueExt, ops::typed},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use std::collections::HashSet;

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
    pub fn new(
        cx: &PassContext<'c>,
        first: &Nest<'c, 'a>,
        second: &Nest<'c, 'a>,
        summaries: &mut Summaries<'c, 'a>,
    ) -> Result<Self, Refusal> {
        if !same_space(first, second) {
            return Err(Refusal("the loops aren't known to run over equal spaces"));
        }
        if first.serial != second.serial {
            return Err(Refusal("only one of the loops may run on threads"));
        }
        let one = summaries.of(first.operation);
        let other = summaries.of(second.operation);
        let outcomes = outcomes(first, &one) + outcomes(second, &other);
        if outcomes > MOST_OUTCOMES && !other.uses(first.operation) {
            return Err(Refusal("the merged loop would compute too much at once"));
        }
        cx.bump("compared", 1);
        check_uses(first, second)?;
        check_memory(first, second, &one, &other)?;
        Ok(Self {
            early: reorder(first, second, summaries)?,
        })
    }
}

/// Neighbours are merged into loops that compute and store at most so much. It is more than there
/// are registers for; beyond it each merged loop makes the next one dearer to compile.
const MOST_OUTCOMES: usize = 32;

/// How many results a loop has and how many elements it stores.
fn outcomes<'c: 'a, 'a>(nest: &Nest<'c, 'a>, summary: &Summary<'c, 'a>) -> usize {
    let stores = summary.touches.iter().filter(|touch| touch.writes).count();
    nest.operation.result_values().len() + stores
}

fn same_space<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> bool {
    first.extents.len() == second.extents.len()
        && first
            .extents
            .iter()
            .zip(&second.extents)
            .all(|(a, b)| same_size(*a, *b))
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
    typed::Load::of(operation)
        .is_some_and(|load| load.array() == array && load.indices() == *indices)
}

/// No iteration of one may access what another iteration of the other writes, and errors must not
/// be reordered with other effects.
fn check_memory<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    ours: &Summary<'c, 'a>,
    theirs: &Summary<'c, 'a>,
) -> Result<(), Refusal> {
    let (one, other) = (&ours.footprint, &theirs.footprint);
    if one.unknown || other.unknown {
        return Err(Refusal("a call in it may do anything"));
    }
    let raises = |footprint: &Footprint| footprint.raises != Raises::Nothing;
    if raises(one) && (raises(other) || other.writes_anything())
        || raises(other) && one.writes_anything()
    {
        return Err(Refusal(
            "an error would be raised earlier or later than it should",
        ));
    }
    check_elements(first, second, ours, theirs)
}

/// What an iteration of one loop writes, only the same iteration of the other may touch.
fn check_elements<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    ours: &Summary<'c, 'a>,
    theirs: &Summary<'c, 'a>,
) -> Result<(), Refusal> {
    let (one, other) = (&ours.footprint, &theirs.footprint);
    if !any_alias(&one.writes, &other.reads)
        && !any_alias(&one.reads, &other.writes)
        && !any_alias(&one.writes, &other.writes)
    {
        return Ok(());
    }
    let mut accesses = None;
    for one in &ours.touches {
        for other in &theirs.touches {
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

/// Whether two loops that follow each other could be merged if different arrays shared no memory.
pub(in crate::parfor) fn may_merge_if_apart<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
) -> bool {
    let mut summaries = Summaries::default();
    let ours = summaries.of(first.operation);
    let theirs = summaries.of(second.operation);
    let is_plain = |summary: &Summary| {
        !summary.footprint.unknown && summary.footprint.raises == Raises::Nothing
    };
    if !same_space(first, second)
        || first.serial != second.serial
        || !is_plain(&ours)
        || !is_plain(&theirs)
        || check_uses(first, second).is_err()
    {
        return false;
    }
    let mut accesses = Accesses::new(first, second);
    ours.touches.iter().all(|one| {
        theirs.touches.iter().all(|other| {
            let is_one_array = storage(one.array) == storage(other.array);
            !one.writes && !other.writes
                || !is_one_array
                || !may_alias(one.array, other.array)
                || accesses.conflict(one.operation, other.operation) == Conflict::None
        })
    })
}

/// Splits the operations between the loops into those that may move before the first and those that
/// must follow the second.
fn reorder<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    summaries: &mut Summaries<'c, 'a>,
) -> Result<Vec<OperationRef<'c, 'a>>, Refusal> {
    let mut early = Vec::new();
    let mut late = HashSet::from([first.operation.key()]);
    let mut held = summaries.of(first.operation).footprint.clone();
    let theirs = summaries.of(second.operation);
    let mut next = first.operation.next_in_block();
    while let Some(operation) = next {
        if operation == second.operation {
            break;
        }
        let between = summaries.of(operation);
        if between.uses_any(&late) || between.footprint.conflicts(&held) {
            // The second loop must get past it.
            if theirs.uses(operation) || theirs.footprint.conflicts(&between.footprint) {
                return Err(Refusal(
                    "it depends on something that depends on the first loop",
                ));
            }
            late.insert(operation.key());
            held.join(&between.footprint);
        } else {
            early.push(operation);
        }
        next = operation.next_in_block();
    }
    Ok(early)
}
