//! Uses that give containers their types, so that an error at one shows the other one that it disagrees with.

use super::{Program, specialization::SpecId};
use crate::{
    inference::lattice::Fact,
    infra::{Report, SourcePosition},
    types::{
        display::display,
        join::{becomes, fills, join_types},
        tables::Table,
    },
};
use melior::ir::{Location, Type};

/// What the name of the function ends with that resumes a generator.
pub(crate) const RESUME: &str = ".next";

/// A use of a container that asks for a type of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Use<'c> {
    /// Where it is: in a function that the container is passed to, if there.
    pub place: Location<'c>,
    /// Where it is in the function that makes the container: the call, if it is in another one.
    pub at: Location<'c>,
    /// What the container is there.
    pub ty: Type<'c>,
}

impl Use<'_> {
    /// Whether it stands before another one in the function that makes the container.
    pub fn is_before(&self, other: &Self) -> bool {
        let start = |place| SourcePosition::of(place).map(|at| (at.file, at.line, at.column));
        match (start(self.at), start(other.at)) {
            (Some(one), Some(two)) => one.0 == two.0 && one < two,
            _ => false,
        }
    }
}

/// How a container came to have its type: what says most is last.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Origin<'c> {
    /// A call or operation gave it.
    Given,
    /// A use asked for it.
    Used,
    /// It is a display with items.
    Made,
    /// It was passed by Python as an argument of this name.
    Passed(&'c str),
}

/// Two uses of a container that ask for types which nothing is both of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash<'c> {
    /// The use that came too late.
    pub later: Use<'c>,
    /// The one that gave the container its type.
    pub first: Use<'c>,
    /// What that one is.
    pub origin: Origin<'c>,
}

impl<'c> Clash<'c> {
    /// Adds a note that shows the first use.
    pub fn note(&self, report: Report<'c>) -> Report<'c> {
        let class = Table::of(self.first.ty).map_or("list", Table::class);
        let ty = display(self.first.ty);
        let what = match self.origin {
            Origin::Passed(name) => {
                let text = format!("'{name}' is passed as {ty}");
                return report.note(self.first.place, text);
            }
            Origin::Given | Origin::Made => "made",
            Origin::Used => "used",
        };
        // A function that is called twice has one place for both.
        let place = match self.first.place == self.later.place {
            true => self.first.at,
            false => self.first.place,
        };
        report.note(place, format!("the {class} is {what} as {ty} here"))
    }
}

/// A type that a parameter is to have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand<'c> {
    /// The number of the parameter.
    pub index: usize,
    /// The type.
    pub ty: Type<'c>,
    /// The use that asks for it.
    pub cause: Use<'c>,
    /// Whether the parameter has another type, which nothing can be besides: then callers are asked for the use
    /// that gave it.
    pub clashes: bool,
}

impl<'c> Program<'c, '_> {
    /// Makes callers pass another type of list.
    pub fn demand_argument(&mut self, id: SpecId, demand: Demand<'c>) {
        let context = self.context;
        let Demand { index, ty, .. } = demand;
        let specialization = &mut self.specializations[id];
        let demands = &mut specialization.demands;
        let same = |other: &&mut Demand| other.index == index && other.clashes == demand.clashes;
        let mut wanted = ty;
        match demands.iter_mut().find(same) {
            Some(before) => match join_types(context, before.ty, ty) {
                Some(joined) if joined != before.ty => {
                    before.ty = joined;
                    wanted = joined;
                }
                Some(_) => return,
                None => {
                    let (first, origin) = (before.cause, Origin::Used);
                    if !demand.clashes {
                        self.clashes.push(Clash {
                            later: demand.cause,
                            first,
                            origin,
                        });
                    }
                    return;
                }
            },
            None => demands.push(demand),
        }
        let dependents = specialization.dependents.clone();
        self.pending.extend(dependents);
        match demand.clashes {
            true => self.clash_with_argument(id, demand),
            false => self.fill_argument(
                id,
                Demand {
                    ty: wanted,
                    ..demand
                },
            ),
        }
    }

    /// Makes the generator that a function resumes yield items of another type of list.
    pub fn demand_yield(&mut self, resume: &str, ty: Type<'c>) {
        let resumes = |symbol: &str| resume.strip_suffix(RESUME) == Some(symbol);
        let mut all = self.specializations.iter();
        let Some(id) = all.position(|specialization| resumes(&specialization.symbol)) else {
            return;
        };
        let yielded = &mut self.specializations[id].yielded;
        let before = yielded.ty;
        if before.is_some_and(|before| before != ty && becomes(self.context, before, ty)) {
            let joined = yielded.join(self.context, Fact::of(ty));
            if joined.conflict.is_none() && joined != *yielded {
                *yielded = joined;
                self.pending.push(id);
            }
        }
    }

    /// Makes a function return another type of list, whose items others may know by their names in it.
    pub fn demand_return(&mut self, id: SpecId, ty: Type<'c>) {
        let returned = &mut self.specializations[id].flow.returned;
        if returned.is_some_and(|before| before != ty && becomes(self.context, before, ty)) {
            *returned = Some(ty);
            self.pending.push(id);
        }
    }

    /// Gives what a host passes without items the types of those that are put in: nobody calls an entry who
    /// could make the argument another one, and what holds nothing is of any type.
    fn fill_argument(&mut self, id: SpecId, demand: Demand<'c>) {
        let specialization = &mut self.specializations[id];
        let Some(&asked) = specialization.asked.get(demand.index) else {
            return;
        };
        let before = specialization.arguments[demand.index];
        let filled = join_types(self.context, before, demand.ty).filter(|filled| *filled != before);
        let Some(filled) = filled else {
            return;
        };
        if !fills(asked, filled) {
            return self.clash_with_argument(id, demand);
        }
        specialization.arguments[demand.index] = filled;
        // Calls with what it was before get a specialisation of their own.
        self.by_signature.retain(|_, other| *other != id);
        self.pending.push(id);
    }

    /// Takes note of a use that an argument of the host's doesn't fit.
    fn clash_with_argument(&mut self, id: SpecId, demand: Demand<'c>) {
        let specialization = &self.specializations[id];
        let (Some(&asked), Some(&ty)) = (
            specialization.asked.get(demand.index),
            specialization.arguments.get(demand.index),
        ) else {
            return;
        };
        let filling = specialization
            .demands
            .iter()
            .find(|other| other.index == demand.index && !other.clashes && asked != ty);
        let function = &specialization.function;
        let name = function.parameters.get(demand.index).copied();
        let place = Location::unknown(self.context);
        let (first, origin) = match filling {
            Some(filling) => (filling.cause, Origin::Used),
            None => (
                Use {
                    place,
                    at: place,
                    ty,
                },
                Origin::Passed(name.unwrap_or_default()),
            ),
        };
        self.clashes.push(Clash {
            later: demand.cause,
            first,
            origin,
        });
    }
}
