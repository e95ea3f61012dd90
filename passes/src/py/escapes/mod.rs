//! Which values may hold a function object: an escape analysis of functions and generators.
//!
//! A function object has cells in its closure. Whoever may call it when one of their variables has another value
//! has to see that value, so it is followed to all values that may hold it, whatever the order of operations.
//! What a call does with it is known of the host's functions ([`consumers`](super::consumers)), and of lifted
//! functions by the same analysis of their bodies.

mod effects;
mod search;

use self::{
    effects::{Effect, Effects, Hold, Question, Source, closure_of, hold_of},
    search::Search,
};
use super::{bindings::Bindings, function::captured_defaults};
use crate::infra::{BlockExt, Identity, Key, OperationExt, RegionExt, ops::py};
use melior::{Context, ir::OperationRef};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

/// How many calls deep functions are looked into.
const DEEPEST: usize = 24;

/// What functions do with function objects. It stays true when functions are inlined or converted.
pub(super) struct Escapes<'c, 'a> {
    bindings: Bindings<'c, 'a>,
    known: RefCell<HashMap<Question<'c>, Effect>>,
    /// What is known so far of the functions that are looked at: recursions go on from there.
    running: RefCell<HashMap<Question<'c>, Effect>>,
    /// Which of those were asked for.
    asked: RefCell<HashSet<Question<'c>>>,
}

/// What may hold a function object.
pub(super) struct Holders {
    /// Values that hold it, and cells that it may be in.
    pub values: HashSet<Key>,
    /// For each of the cells what holds that: functions that have it in their closure, and what holds them.
    pub by_cells: Vec<(Key, HashSet<Key>)>,
    /// Whether callers or functions around may have it before this function is over.
    pub everywhere: bool,
}

impl<'c: 'a, 'a> Escapes<'c, 'a> {
    /// Reads what names of a module mean.
    pub fn new(context: &'c Context, module: OperationRef<'c, 'a>) -> Self {
        Self {
            bindings: Bindings::read(context, module),
            known: RefCell::default(),
            running: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// What may hold the object that a `py.make_function` makes.
    pub fn holders(&self, maker: py::MakeFunction<'c, 'a>) -> Holders {
        let mut search = Search::new(self);
        search.captures = Some(Vec::new());
        let made = self.effect((maker.code(), Source::Made, Hold::Function));
        search.add(maker.result(), hold_of(&self.bindings, maker, made));
        search.run();
        let by_cells = search.captures.take().unwrap_or_default().into_iter();
        let by_cells = by_cells.map(|capture| {
            let mut search = Search::new(self);
            search.enter(capture);
            search.run();
            (capture.cell, search.values())
        });
        Holders {
            by_cells: by_cells.collect(),
            everywhere: made.stores || search.stores || search.yields,
            values: search.values(),
        }
    }

    fn look(&self, (symbol, source, hold): Question<'c>) -> Effect {
        let Some(function) = self.bindings.function(symbol) else {
            return Effect::ANY;
        };
        let Some(entry) = function.region_at(0).entry() else {
            return Effect::ANY;
        };
        let mut search = Search::new(self);
        match source {
            Source::Parameter(index) => {
                let Some(&parameter) = entry.argument_values().get(index) else {
                    return Effect::ANY;
                };
                search.own = Some(parameter.key());
                search.add(parameter, hold);
                // Its value may be that of a parameter whose default it is.
                let defaults = captured_defaults(function).into_iter();
                for (of, _) in defaults.filter(|(_, captured)| *captured == index) {
                    search.add(entry.argument_values()[of], hold);
                }
            }
            Source::Free(index) => {
                let cells = function.nested_ops::<py::FreeCell>().into_iter();
                let cells: Vec<_> = cells.filter(|cell| cell.index() == index as i64).collect();
                if cells.is_empty() {
                    return Effect::ANY;
                }
                for cell in cells {
                    search.add(cell.result(), hold);
                }
            }
            Source::Made => {
                for maker in function.nested_ops::<py::MakeFunction>() {
                    if closure_of(maker).is_some() {
                        let made = self.effect((maker.code(), Source::Made, Hold::Function));
                        search.stores |= made.stores;
                        search.add(maker.result(), hold_of(&self.bindings, maker, made));
                    }
                }
            }
        }
        search.run();
        Effect {
            result: search.leaves,
            stores: search.stores,
        }
    }
}

impl<'c: 'a, 'a> Effects<'c, 'a> for Escapes<'c, 'a> {
    fn bindings(&self) -> &Bindings<'c, 'a> {
        &self.bindings
    }

    fn effect(&self, question: Question<'c>) -> Effect {
        if let Some(known) = self.known.borrow().get(&question) {
            return *known;
        }
        if let Some(so_far) = self.running.borrow().get(&question) {
            self.asked.borrow_mut().insert(question);
            return *so_far;
        }
        if self.running.borrow().len() >= DEEPEST {
            return Effect::ANY;
        }
        let mut found = Effect::default();
        loop {
            self.running.borrow_mut().insert(question, found);
            let more = found.join(self.look(question));
            let is_recursive = self.asked.borrow_mut().remove(&question);
            if !is_recursive || more == found {
                found = more;
                break;
            }
            found = more;
        }
        self.running.borrow_mut().remove(&question);
        // What depends on functions that are still looked at may be more than this.
        if self.asked.borrow().is_empty() {
            self.known.borrow_mut().insert(question, found);
        }
        found
    }
}
