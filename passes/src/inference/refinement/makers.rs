//! Where a wish ends: what makes a container gets its type, or is what a later use disagrees with.

use super::Walk;
use crate::{
    inference::{
        emit::Emit,
        program::{
            environment::key,
            flow::Flow,
            uses::{Clash, Origin, Use},
        },
    },
    infra::{BlockExt, ValueExt, ops::py},
    py::edges::Edge,
    types::{
        join::{join_all, join_types},
        lists::{is_any_list, is_nothing, list_item, list_of},
        tables::Table,
    },
};
use melior::ir::{Type, Value, operation::OperationLike};
use std::collections::HashSet;

/// Whether nothing is known of what a list, dict or set holds.
fn is_empty(ty: Type) -> bool {
    list_item(ty).is_some_and(is_nothing) || Table::of(ty).is_some_and(Table::is_empty)
}

impl<'c: 'a, 'a> Flow<'c, 'a> {
    /// Records the type that a value is to have where it is made.
    pub(super) fn want(
        &mut self,
        e: &Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        walk: &mut Walk<'c>,
    ) {
        let context = e.context();
        let before = self.environment.wanted.get(&key(value)).copied();
        let joined = match before {
            Some(before) => join_types(context, before, ty),
            None => Some(ty),
        };
        let clash = self.clash(e, value, ty, walk.cause);
        let is_first = |clash: &Clash<'c>| {
            matches!(clash.origin, Origin::Used) && walk.cause.is_before(&clash.first)
        };
        let wanted = match (joined, &clash) {
            // What is put in first decides, also where it took longer to find out what that is.
            (None, Some(clash)) if is_first(clash) => {
                self.environment.uses.remove(&key(value));
                Some(ty)
            }
            (joined, _) => joined.filter(|_| !walk.clashes),
        };
        if let Some(wanted) = wanted.filter(|wanted| Some(*wanted) != before) {
            self.environment.wanted.insert(key(value), wanted);
            let uses = self.environment.uses.entry(key(value)).or_default();
            uses.push((ty, walk.cause));
            self.grew = true;
            return;
        }
        let says_more = |clash: &Clash<'c>| {
            let known = walk.clash.as_ref();
            known.is_none_or(|known| known.origin < clash.origin)
        };
        if let Some(clash) = clash.filter(says_more) {
            walk.clash = Some(clash);
        }
    }

    /// What a value was made as or used as, if that is nothing that could have the type of a later use, too.
    fn clash(
        &self,
        e: &Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        later: Use<'c>,
    ) -> Option<Clash<'c>> {
        let disagrees = |before: Type<'c>| join_types(e.context(), before, ty).is_none();
        let place = value.defining_op()?.location();
        let made = |ty| Use {
            place,
            at: place,
            ty,
        };
        let known = self.displayed(e, value);
        let uses = self.environment.uses.get(&key(value));
        let used = || {
            let mut uses = uses.into_iter().flatten();
            uses.find(|(before, _)| disagrees(*before))
                .map(|(_, cause)| *cause)
        };
        let (first, origin) = match known.filter(|known| disagrees(*known)) {
            Some(known) => (made(known), Origin::Made),
            None => match used() {
                Some(cause) => (cause, Origin::Used),
                None => {
                    let known = self.environment.slot(value).fact.ty?;
                    (disagrees(known).then(|| made(known))?, Origin::Given)
                }
            },
        };
        Some(Clash {
            later,
            first,
            origin,
        })
    }

    /// The containers of which a value is one, with what gave each its type.
    pub(in crate::inference) fn sources(
        &self,
        e: &Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Vec<Clash<'c>> {
        let mut found = Vec::new();
        self.collect_sources(e, value, &mut HashSet::new(), &mut found);
        found
    }

    fn collect_sources(
        &self,
        e: &Emit<'_, 'c, 'a>,
        value: Value<'c, 'a>,
        seen: &mut HashSet<usize>,
        found: &mut Vec<Clash<'c>>,
    ) {
        if !seen.insert(key(value)) {
            return;
        }
        let Some(made) = value.defining_op() else {
            return self.collect_passed(e, value, seen, found);
        };
        let of = match py::Op::of(made) {
            Some(py::Op::Inplace(inplace)) => inplace.lhs(),
            Some(py::Op::NewReference(same)) => same.value(),
            Some(py::Op::CheckBound(check)) => check.value(),
            _ => {
                let known = self.environment.slot(value).fact.ty;
                let Some(ty) = known.filter(|ty| is_any_list(*ty) || Table::of(*ty).is_some())
                else {
                    return;
                };
                let place = made.location();
                let own = Use {
                    place,
                    at: place,
                    ty,
                };
                let uses = self.environment.uses.get(&key(value));
                let used = uses.and_then(|uses| uses.first()).map(|(_, used)| *used);
                let (first, origin) = match (self.displayed(e, value), used) {
                    (Some(shown), Some(used)) if is_empty(shown) => (used, Origin::Used),
                    _ => (own, Origin::Made),
                };
                found.push(Clash {
                    later: own,
                    first,
                    origin,
                });
                return;
            }
        };
        self.collect_sources(e, of, seen, found);
    }

    fn collect_passed(
        &self,
        e: &Emit<'_, 'c, 'a>,
        argument: Value<'c, 'a>,
        seen: &mut HashSet<usize>,
        found: &mut Vec<Clash<'c>>,
    ) {
        let block = argument.defining_block();
        let arguments = block.argument_values();
        let Some(index) = arguments.iter().position(|other| *other == argument) else {
            return;
        };
        for terminator in block.predecessor_blocks() {
            let Some(terminator) = terminator.terminator_op() else {
                continue;
            };
            for edge in Edge::of(terminator) {
                if edge.target == block
                    && let Some(index) = index.checked_sub(edge.produced)
                {
                    self.collect_sources(e, edge.passed(terminator)[index], seen, found);
                }
            }
        }
    }

    /// What a display is by the items that are written in it.
    fn displayed(&self, e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>) -> Option<Type<'c>> {
        let context = e.context();
        // An item with uses of its own is what these say.
        let shown = |item: Value<'c, 'a>| {
            let is_used = self.environment.uses.contains_key(&key(item));
            self.environment.slot(item).fact.ty.filter(|_| !is_used)
        };
        let known = |values: Vec<Value<'c, 'a>>| {
            join_all(
                context,
                values.into_iter().map(shown).collect::<Option<_>>()?,
            )
        };
        match value.defining_op().and_then(py::Op::of)? {
            py::Op::BuildList(list) => Some(list_of(context, known(list.elements())?)),
            py::Op::BuildSet(set) => {
                let key = known(set.elements())?;
                Some(Table { key, value: None }.to_type(context))
            }
            py::Op::BuildMap(map) => {
                let (keys, values): (Vec<_>, Vec<_>) = map
                    .elements()
                    .chunks_exact(2)
                    .map(|pair| (pair[0], pair[1]))
                    .unzip();
                let (key, value) = (known(keys)?, Some(known(values)?));
                Some(Table { key, value }.to_type(context))
            }
            _ => None,
        }
    }
}
