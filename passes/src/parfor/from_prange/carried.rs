//! Classification of loop-carried values.

use super::{
    body::{argument, init, next},
    combined::Combined,
    compared::{accompanies, extreme},
    influence::Influence,
    operators::{Flow, Kind},
    truth,
};
use crate::{
    infra::{OperationExt, ValueExt, ops::scf},
    types::number::Number,
};
use pyopt_dialects::enums::CombineKind;
use std::collections::BTreeSet;

/// The class of a loop-carried value of an `scf.for`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Carried<'c> {
    /// Loop-invariant.
    Invariant,
    /// Private to an iteration: no iteration uses the value of the one before.
    Private,
    /// A reduction of this kind, with one contribution per iteration.
    Reduction(CombineKind),
    /// A user-defined reduction.
    Combined(Combined<'c>),
    /// An extreme (minimum or maximum) with companions: values recorded when it changes.
    Extreme {
        /// Whether it is a maximum.
        largest: bool,
    },
    /// The companion of the extreme with this number.
    Companion(usize),
    /// A true loop-carried dependence, for this reason.
    Dependent(&'static str),
}

/// The reason when a value is used for anything but a reduction.
pub(super) const OTHER_USE: &str = "is used for something else than one reduction";

impl<'c> Carried<'c> {
    /// Looks at one carried value of a loop.
    pub fn of<'a>(operation: scf::For<'c, 'a>, position: usize) -> Self
    where
        'c: 'a,
    {
        let argument = argument(operation, position);
        let yielded = next(operation, position);
        if yielded == argument || yielded == init(operation, position) {
            return Self::Invariant;
        }
        let unused = !operation.result_value(position).has_uses();
        if unused && Flow::new(operation, position).is_dead_end(argument) {
            return Self::Private;
        }
        if !argument.has_uses() {
            return Self::Dependent("is that of the last iteration after the loop");
        }
        match Flow::new(operation, position).reduce(argument) {
            Ok(Some(Kind::Operator(kind))) => Self::Reduction(kind),
            Ok(Some(Kind::Combiner(combined))) => Self::Combined(combined),
            Ok(None) => Self::Invariant,
            Err(OTHER_USE) => Self::decided(operation, position).unwrap_or_else(Self::Dependent),
            Err(reason) => Self::decided(operation, position).unwrap_or(Self::Dependent(reason)),
        }
    }

    /// A value whose update is conditional on itself or on what the iteration computes.
    fn decided<'a>(operation: scf::For<'c, 'a>, position: usize) -> Result<Self, &'static str>
    where
        'c: 'a,
    {
        let influence = Influence::of(operation, argument(operation, position))?;
        if influence.next != BTreeSet::from([position]) {
            return Err(OTHER_USE);
        }
        let number = Number::of(operation.result_value(position).ty());
        if number == Some(Number::Bool) {
            let kind = truth::kind(operation, position);
            return kind.map(Self::Reduction).ok_or(OTHER_USE);
        }
        let extreme = extreme(operation, position, &influence).ok_or(OTHER_USE)?;
        // The last of equal floats may differ from the first: 0.0 and -0.0.
        if !extreme.first && !matches!(number, Some(Number::Int { .. })) {
            return Err(
                "is compared by >= or <=: write > or <, so that the first of equal values stays",
            );
        }
        Ok(Self::Reduction(if extreme.largest {
            CombineKind::Max
        } else {
            CombineKind::Min
        }))
    }

    /// Looks at all carried values of a loop.
    pub fn all<'a>(operation: scf::For<'c, 'a>) -> Vec<Self>
    where
        'c: 'a,
    {
        let mut all: Vec<_> = (0..operation.result_values().len())
            .map(|position| Self::of(operation, position))
            .collect();
        for position in 0..all.len() {
            if let Self::Dependent(_) = all[position]
                && let Some((largest, companions)) = Self::accompanied(operation, position, &all)
            {
                all[position] = Self::Extreme { largest };
                for companion in companions {
                    all[companion] = Self::Companion(position);
                }
            }
        }
        all
    }

    /// The extreme that other loop-carried values depend on, if each of these is a companion of it.
    fn accompanied<'a>(
        operation: scf::For<'c, 'a>,
        position: usize,
        all: &[Self],
    ) -> Option<(bool, Vec<usize>)>
    where
        'c: 'a,
    {
        let influence = |at| Influence::of(operation, argument(operation, at)).ok();
        let own = influence(position)?;
        let extreme = extreme(operation, position, &own).filter(|extreme| extreme.first)?;
        let is_other = |at: &usize| *at != position && all[*at] != Self::Private;
        let companions: Vec<_> = own.next.iter().copied().filter(is_other).collect();
        for companion in &companions {
            let noted = influence(*companion)?;
            let alone = noted.next == BTreeSet::from([*companion]);
            if !alone || !accompanies(operation, [position, *companion], [&own, &noted]) {
                return None;
            }
        }
        own.next
            .contains(&position)
            .then_some((extreme.largest, companions))
    }
}
