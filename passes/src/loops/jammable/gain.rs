//! What is gained by jamming the iterations of a loop.

use super::{
    order::Accesses,
    parts::{Gain, Segment},
};
use crate::{
    analysis::affine::counts_with,
    infra::{
        BlockExt, OperationExt, ValueExt,
        ops::{func, marks, scf, typed},
    },
    loops::carried::{has_order, is_float},
    types::number::Number,
};
use melior::ir::{BlockRef, OperationRef};
use pyopt_dialects::typed::{Layout, array_type};

/// Operations in the inner loop up to which it gets the most copies.
const SMALL: usize = 8;
/// Operations beyond which it isn't unrolled.
const LARGE: usize = 48;
/// The most values that the copies of a loop carry: as many vector registers as there are.
const MOST_CARRIED: usize = 16;
/// The most loops that are jammed in one.
const MOST_LOOPS: usize = 4;

/// A body that is split.
pub(super) struct Cut<'c, 'a> {
    pub(super) segments: Vec<Segment<'c, 'a>>,
    pub(super) gain: Gain,
    pub(super) copies: usize,
}

/// Whether an iteration of a loop waits for the one before: some float that it carries isn't a sum in any
/// order.
pub(crate) fn waits<'c: 'a, 'a>(inner: scf::For<'c, 'a>) -> bool {
    (0..inner.results().len()).any(|at| has_order(inner, at))
}

impl<'c: 'a, 'a> Accesses<'c, 'a> {
    /// Splits the body at the loops that are to be jammed, if there are any.
    pub(super) fn segments(&self, body: BlockRef<'c, 'a>) -> Option<Cut<'c, 'a>> {
        let mut operations = body.operation_list();
        operations.pop();
        let carried = &body.argument_values()[1..];
        let uses_carried = |operation: &OperationRef<'c, 'a>| {
            let inside = operation.pre_order().into_iter();
            let mut operands = inside.flat_map(|inner| inner.operand_values());
            operands.any(|operand| carried.contains(&operand))
        };
        let (mut segments, mut gains, mut straight) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept_loops = 0;
        for operation in operations {
            match self.gain(operation)? {
                Some(gain) => {
                    if uses_carried(&operation) || straight.iter().any(uses_carried) {
                        return None;
                    }
                    segments.push(Segment::Straight(std::mem::take(&mut straight)));
                    segments.push(Segment::Loop(scf::For::of(operation)?));
                    gains.push(gain);
                }
                None => {
                    kept_loops += usize::from(scf::For::of(operation).is_some());
                    straight.push(operation);
                }
            }
        }
        segments.push(Segment::Straight(straight));
        if gains.len() > MOST_LOOPS || kept_loops > 1 {
            return None;
        }
        let (gain, copies) = gains.into_iter().reduce(|one, other| {
            let gain = if one.0 == Gain::Rows { other.0 } else { one.0 };
            (gain, 4)
        })?;
        Some(Cut {
            segments,
            gain,
            copies,
        })
    }

    /// What is gained by jamming a loop, with how many iterations at once. The outer `None` forbids
    /// to jam anything around it.
    fn gain(&self, operation: OperationRef<'c, 'a>) -> Option<Option<(Gain, usize)>> {
        let inside = operation.pre_order();
        let Some(inner) = scf::For::of(operation) else {
            let is_loop = |one: &OperationRef| one.isa::<scf::For>() || one.isa::<scf::While>();
            return (inside.len() <= LARGE && !inside.iter().any(is_loop)).then_some(None);
        };
        let copies = match inside.len() - 1 {
            ..=SMALL => 8,
            size if size <= LARGE => 4,
            _ => return None,
        };
        let mut loops = Vec::new();
        for nested in inside.iter().filter(|one| !one.region_list().is_empty()) {
            if let Some(branch) = scf::If::of(*nested) {
                self.merging(branch)?;
                continue;
            }
            let nested = scf::For::of(*nested)?;
            let mut bounds =
                [nested.lower_bound(), nested.upper_bound(), nested.step()].into_iter();
            let results = nested.results();
            if bounds.any(|bound| self.varies(bound))
                || !results.iter().all(|value| Number::of(value.ty()).is_some())
                || results.len() * copies > MOST_CARRIED
            {
                return None;
            }
            loops.push(nested);
        }
        if !inner.results().is_empty() {
            let gain = if inside.iter().any(|load| self.runs_along_a_row(*load)) {
                Gain::Vectors
            } else {
                Gain::Latency
            };
            // LLVM makes vectors of sums of ints.
            if !loops
                .iter()
                .all(|one| one.results().iter().any(|value| is_float(*value)))
            {
                return None;
            }
            let wait = loops.into_iter().all(waits) && !self.is_reassociated();
            return Some((gain == Gain::Vectors || wait).then_some((gain, copies)));
        }
        if loops.len() > 1 {
            return None;
        }
        let mut stores = inside.iter().copied().filter_map(typed::Store::of);
        let found = stores.find_map(|store| {
            let is_same = |load: &typed::Load<'c, 'a>| {
                load.array() == store.array() && load.indices() == store.indices()
            };
            let mut loads = inside.iter().copied().filter_map(typed::Load::of);
            loads.find(is_same)?;
            let indices = store.indices();
            if indices.iter().all(|index| !index.is_inside(*inner)) {
                let waits = is_float(store.value()) && !self.is_reassociated();
                return waits.then_some((Gain::Latency, copies));
            }
            let is_row = !indices.iter().any(|index| self.varies(*index));
            is_row.then_some((Gain::Rows, 4))
        });
        Some(found)
    }

    /// Whether the function lets sums be done in any order, so that the inner loop is vectorised.
    fn is_reassociated(&self) -> bool {
        let function = self.outer.ancestor::<func::Func>();
        function.is_some_and(|function| function.attr(marks::FASTMATH).is_some())
    }

    /// Whether a load has unit stride in the outer loop.
    fn runs_along_a_row(&self, load: OperationRef<'c, 'a>) -> bool {
        let Some(load) = typed::Load::of(load) else {
            return false;
        };
        let indices = load.indices();
        let Some((last, others)) = indices.split_last() else {
            return false;
        };
        array_type(load.array().ty()).is_some_and(|array| array.layout == Layout::C)
            && counts_with(*last, self.position, &|value| !self.varies(value))
            && !others.iter().any(|index| self.varies(*index))
    }
}
