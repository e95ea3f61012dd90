//! The way of a function object through the operations of one function.

use super::super::{
    consumers::{self, Consumer},
    edges::Edge,
};
use super::effects::{
    Effect, Effects, Hold, Source, closure_of, function_of, hold_of, is_generator,
};
use crate::infra::{
    AttributeExt, BlockExt, Identity, Key, OperationAttributes, OperationExt, Use, ValueExt,
    ops::{marks, py},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::ExtendKind;
use std::collections::{HashMap, HashSet};

/// A place in the closure of a function object, and how what is there holds the followed one.
#[derive(Clone, Copy)]
pub(super) struct Captured<'c, 'a> {
    pub cell: Key,
    maker: py::MakeFunction<'c, 'a>,
    index: usize,
    hold: Hold,
}

/// The way of a function object through one function.
pub(super) struct Search<'e, 'c, 'a> {
    effects: &'e dyn Effects<'c, 'a>,
    holds: HashMap<Key, Hold>,
    open: Vec<Value<'c, 'a>>,
    /// The parameter that is followed.
    pub own: Option<Key>,
    /// The functions that have a cell with the object in their closure, where these are told apart from others.
    pub captures: Option<Vec<Captured<'c, 'a>>>,
    /// How what is returned or yielded holds the object.
    pub leaves: Option<Hold>,
    pub yields: bool,
    /// Whether something that the function got may hold it.
    pub stores: bool,
}

impl<'e, 'c: 'a, 'a> Search<'e, 'c, 'a> {
    pub fn new(effects: &'e dyn Effects<'c, 'a>) -> Self {
        Self {
            effects,
            holds: HashMap::new(),
            open: Vec::new(),
            own: None,
            captures: None,
            leaves: None,
            yields: false,
            stores: false,
        }
    }

    pub fn values(self) -> HashSet<Key> {
        self.holds.into_keys().collect()
    }

    pub fn add(&mut self, value: Value<'c, 'a>, hold: Hold) {
        let known = self.holds.get(&value.key()).copied();
        let joined = known.map_or(hold, |known| known.join(hold));
        if known != Some(joined) {
            self.holds.insert(value.key(), joined);
            self.open.push(value);
        }
    }

    fn add_all(&mut self, values: &[Value<'c, 'a>], hold: Hold) {
        values.iter().for_each(|value| self.add(*value, hold));
    }

    pub fn run(&mut self) {
        while let Some(value) = self.open.pop() {
            let hold = self.holds[&value.key()];
            for one in value.uses() {
                self.follow(value, hold, one);
            }
        }
    }

    /// Follows one use of a value that holds the object.
    fn follow(&mut self, value: Value<'c, 'a>, hold: Hold, one: Use<'c, 'a>) {
        let user = one.user;
        let results = user.result_values();
        match py::Op::of(user) {
            Some(py::Op::SetItem(set)) if set.object() != value => self.put_into(set.object()),
            Some(py::Op::SetAttr(set)) if set.object() != value => self.put_into(set.object()),
            Some(py::Op::MapAdd(set)) if set.map() != value => self.put_into(set.map()),
            Some(py::Op::Extend(extend)) if extend.container() != value => {
                let is_item = matches!(extend.kind(), ExtendKind::ListAppend | ExtendKind::SetAdd);
                if is_item || hold == Hold::Open {
                    self.put_into(extend.container());
                }
            }
            Some(py::Op::StoreCell(store)) if store.value() == value => {
                self.stores |= py::FreeCell::defining(store.cell()).is_some();
                self.add(store.cell(), hold);
            }
            Some(py::Op::BuildTuple(tuple)) => self.follow_tuple(value, hold, tuple, one.operand),
            Some(py::Op::Call(call)) if call.callee() == value => {
                // What the call of a plain function gives doesn't hold it.
                match hold {
                    Hold::Function => {}
                    Hold::Generator => self.add(call.result(), Hold::Iterator),
                    _ => self.add(call.result(), Hold::Open),
                }
                for (at, argument) in call.args().into_iter().enumerate() {
                    if argument == value {
                        self.follow_argument(hold, call, at);
                    }
                }
            }
            Some(py::Op::Call(call)) => self.follow_argument(hold, call, one.operand - 1),
            Some(py::Op::CallEx(call)) => {
                self.add(call.result(), Hold::Open);
                user.operand_values()
                    .into_iter()
                    .for_each(|operand| self.put_into(operand));
            }
            Some(py::Op::Return(_)) => self.leave(hold),
            Some(py::Op::Yield(_)) => {
                self.yields = true;
                self.leave(Hold::Open);
            }
            Some(
                py::Op::CheckBound(_)
                | py::Op::GetIter(_)
                | py::Op::GetYieldFromIter(_)
                | py::Op::ListToTuple(_)
                | py::Op::LoadCell(_)
                | py::Op::MakeCell(_)
                | py::Op::NewReference(_),
            ) => self.add_all(&results, hold),
            Some(py::Op::Inplace(inplace)) if hold == Hold::Open => {
                self.put_into(inplace.lhs());
                self.add_all(&results, hold);
            }
            Some(
                py::Op::BuildList(_)
                | py::Op::BuildMap(_)
                | py::Op::BuildSet(_)
                | py::Op::EnterContext(_)
                | py::Op::GetAttr(_)
                | py::Op::MakeFunction(_),
            ) => self.add_all(&results, Hold::Open),
            Some(
                py::Op::Binary(_)
                | py::Op::GetItem(_)
                | py::Op::MatchClass(_)
                | py::Op::MatchKeys(_)
                | py::Op::Send(_)
                | py::Op::Unpack(_)
                | py::Op::UnpackEx(_),
            ) if hold == Hold::Open => self.add_all(&results, hold),
            _ if user.is_terminator() => self.follow_edges(value, hold, one),
            // Others compute something new.
            _ => {}
        }
    }

    /// Follows what a terminator passes.
    fn follow_edges(&mut self, value: Value<'c, 'a>, hold: Hold, one: Use<'c, 'a>) {
        let is_iterated =
            one.user.isa::<py::ForIter>() && one.operand == py::ForIter::ITERATOR_OPERAND;
        for edge in Edge::of(one.user) {
            let arguments = edge.target.argument_values();
            if is_iterated && hold == Hold::Open {
                self.add_all(&arguments[..edge.produced], hold);
            }
            let passed = edge.passed(one.user).into_iter();
            for (operand, argument) in passed.zip(&arguments[edge.produced..]) {
                if operand == value {
                    self.add(*argument, hold);
                }
            }
        }
    }

    /// Follows a value into a tuple, which may be the closure of a function object.
    fn follow_tuple(
        &mut self,
        value: Value<'c, 'a>,
        hold: Hold,
        tuple: py::BuildTuple<'c, 'a>,
        index: usize,
    ) {
        for user in tuple.result().users() {
            let maker = py::MakeFunction::of(user);
            let maker = maker.filter(|maker| closure_of(*maker).is_some_and(|one| one == tuple));
            let Some(maker) = maker else {
                self.add(tuple.result(), Hold::Open);
                continue;
            };
            let captured = Captured {
                cell: value.key(),
                maker,
                index,
                hold,
            };
            match &mut self.captures {
                Some(captures) if py::MakeCell::defining(value).is_some() => {
                    captures.push(captured);
                }
                _ => self.enter(captured),
            }
        }
    }

    /// Follows what is in the closure of a function object.
    pub fn enter(&mut self, captured: Captured<'c, 'a>) {
        let Captured { maker, index, .. } = captured;
        let source = match maker.int_attr(marks::CAPTURES) {
            Some(_) => Source::Parameter(index),
            None => Source::Free(index),
        };
        let effect = self.effects.effect((maker.code(), source, captured.hold));
        let hold = hold_of(self.effects.bindings(), maker, effect);
        self.add(maker.result(), hold);
        if effect.stores {
            self.put_into(maker.result());
        }
    }

    /// Follows an argument of a call.
    fn follow_argument(&mut self, hold: Hold, call: py::Call<'c, 'a>, at: usize) {
        let arguments = call.args();
        let named: Vec<_> = call.keywords().into_iter().flatten().collect();
        let positional = arguments.len() - named.len();
        let keyword = at
            .checked_sub(positional)
            .and_then(|at| named[at].string_value());
        if let Some(name) = self.effects.bindings().name_of(call.callee())
            && let Some(consumer) = consumers::function(&name)
        {
            let is_called = consumers::is_called(&name, at, keyword);
            return match (consumer, hold) {
                (Consumer::Reads, _) | (Consumer::Collects, Hold::Iterator) => {}
                (Consumer::Collects, Hold::Function) if is_called => {}
                (Consumer::Wraps, Hold::Function | Hold::Iterator) => {
                    self.add(call.result(), Hold::Iterator);
                }
                _ => self.add(call.result(), Hold::Open),
            };
        }
        if let Some(method) = py::GetAttr::defining(call.callee()) {
            let is_key = method.name() == "sort" && keyword == Some("key");
            if is_key || hold == Hold::Iterator && consumers::method(method.name()).is_some() {
                return;
            }
        }
        let effect = match self.parameter_of(call, at, keyword) {
            Some((function, parameter, is_packed)) => {
                let source = Source::Parameter(parameter);
                let hold = if is_packed { Hold::Open } else { hold };
                let mut effect = self.effects.effect((function.sym_name(), source, hold));
                if is_generator(function) {
                    effect.result = Some(effect.result.map_or(Hold::Iterator, |_| Hold::Open));
                }
                effect
            }
            None => Effect::ANY,
        };
        if let Some(hold) = effect.result {
            self.add(call.result(), hold);
        }
        if effect.stores {
            self.put_into(call.callee());
            for (other, argument) in arguments.into_iter().enumerate() {
                if other != at {
                    self.put_into(argument);
                }
            }
        }
    }

    /// The function that is called, which of its parameters an argument is for, and whether that has it in a tuple.
    fn parameter_of(
        &self,
        call: py::Call<'c, 'a>,
        at: usize,
        keyword: Option<&str>,
    ) -> Option<(py::Func<'c, 'a>, usize, bool)> {
        let (function, captured) = function_of(self.effects.bindings(), call.callee())?;
        let names: Vec<_> = function.arg_names().into_iter().collect();
        let further = usize::from(function.varargs());
        let last = names.len() - usize::from(function.varkeywords()) - further;
        let positional = last - function.kwonlyargcount() as usize;
        let parameter = match keyword {
            Some(_) => (names[..last].iter()).position(|name| name.string_value() == keyword)?,
            None if at + captured < positional => at + captured,
            None => Some(last).filter(|_| further > 0)?,
        };
        Some((function, parameter, keyword.is_none() && parameter == last))
    }

    fn leave(&mut self, hold: Hold) {
        self.leaves = Some(self.leaves.map_or(hold, |known| known.join(hold)));
    }

    /// Takes note that the object may be put into something, and into whatever that is a part of.
    fn put_into(&mut self, container: Value<'c, 'a>) {
        let mut seen = HashSet::new();
        let mut open = vec![container];
        while let Some(value) = open.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            self.add(value, Hold::Open);
            match value.defining_op() {
                None => open.extend(self.sources(value)),
                Some(made) => open.extend(parts(made)),
            }
            self.stores |= py::FreeCell::defining(value).is_some();
        }
    }

    /// What a block argument may be.
    fn sources(&mut self, argument: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let block = argument.defining_block();
        let arguments = block.argument_values();
        let index = arguments.iter().position(|other| *other == argument);
        let before = block.predecessor_blocks();
        if before.is_empty() {
            self.stores |= self.own != Some(argument.key());
        }
        let mut found = Vec::new();
        for terminator in before.into_iter().filter_map(|block| block.terminator_op()) {
            for edge in Edge::of(terminator)
                .into_iter()
                .filter(|edge| edge.target == block)
            {
                let Some(index) = index else { continue };
                match index.checked_sub(edge.produced) {
                    Some(index) => found.push(edge.passed(terminator)[index]),
                    None => found.extend(py::ForIter::of(terminator).map(py::ForIter::iterator)),
                }
            }
        }
        found
    }
}

/// The values that the results of an operation may be, or may have as parts or be parts of.
fn parts<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    match py::Op::of(operation) {
        Some(py::Op::LoadCell(load)) => vec![load.cell()],
        Some(py::Op::MakeCell(cell)) => {
            let stores = cell
                .result()
                .users()
                .into_iter()
                .filter_map(py::StoreCell::of);
            let stored = stores.map(py::StoreCell::value);
            stored.chain(cell.initial()).collect()
        }
        Some(
            py::Op::Binary(_)
            | py::Op::BuildList(_)
            | py::Op::BuildMap(_)
            | py::Op::BuildSet(_)
            | py::Op::BuildTuple(_)
            | py::Op::Call(_)
            | py::Op::CallEx(_)
            | py::Op::CheckBound(_)
            | py::Op::GetAttr(_)
            | py::Op::GetIter(_)
            | py::Op::GetItem(_)
            | py::Op::Inplace(_)
            | py::Op::ListToTuple(_)
            | py::Op::MakeFunction(_)
            | py::Op::NewReference(_)
            | py::Op::Unpack(_)
            | py::Op::UnpackEx(_),
        ) => operation.operand_values(),
        _ => Vec::new(),
    }
}
