//! What callers and callees are asked for: other types of lists as arguments, results and items.

use super::{
    Program,
    specialization::SpecId,
    uses::{Clash, Demand, Origin, RESUME, Use},
};
use crate::{
    inference::lattice::Fact,
    types::join::{becomes, fills, join_types},
};
use melior::ir::{Location, Type};

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
