//! Operations that are one call of the runtime: which, with what.

use super::function::{Function, Held};
use crate::infra::{Identity, OperationExt, PassResult, ops::py};
use melior::ir::{OperationRef, Value};

/// An argument of a runtime function.
#[derive(Clone, Copy)]
enum Argument<'c, 'a> {
    /// The thread state.
    Thread,
    /// The frame.
    Frame,
    /// An operand, which the caller keeps alive.
    Operand(Value<'c, 'a>),
    /// The operand at a position, whose reference the runtime takes over.
    Given(usize),
    /// Null.
    Null,
    /// The interned string of an attribute.
    Name(&'c str),
    /// The interned string of a global's name, by its binding.
    Global(&'c str),
    /// The value of an integer attribute.
    Number(i64),
    /// Whether a unit attribute is there.
    Flag(bool),
    /// Memory of the operation's own, so many words.
    Cache(usize),
}

/// What a runtime function returns.
#[derive(Clone, Copy)]
enum Returns {
    /// A new reference; null when it raised.
    Object,
    /// A new reference; it never raises.
    Certain,
    /// A negative number when it raised.
    Status,
    /// As `Status`, for an exception that goes on and gets no further traceback.
    Reraised,
    /// A negative number when it raised, else a truth value.
    Truth,
    /// Nothing; it never raises.
    Nothing,
}

/// The call that an operation is: the function, its arguments and what it returns.
type Call<'c, 'a> = (&'static str, Vec<Argument<'c, 'a>>, Returns);

use Argument::{Cache, Flag, Frame, Given, Global, Name, Null, Number, Operand, Thread};
use Returns::{Certain, Nothing, Object, Reraised, Status, Truth};

/// All operands of an operation, in their order.
fn operands<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Argument<'c, 'a>> {
    let operands = operation.operand_values().into_iter();
    operands.map(Operand).collect()
}

/// The call of the runtime that an operation is, if it is one.
fn call<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    names_and_cells(operation)
        .or_else(|| attributes_and_items(operation))
        .or_else(|| containers(operation))
        .or_else(|| exceptions(operation))
        .or_else(|| generators_and_calls(operation))
}

fn names_and_cells<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    Some(match operation {
        py::Op::SetGlobal(set) => (
            "store_global",
            vec![Frame, Global(set.binding()), Operand(set.value())],
            Status,
        ),
        py::Op::DeleteGlobal(delete) => (
            "delete_global",
            vec![Frame, Global(delete.binding())],
            Status,
        ),
        py::Op::LoadBuildClass(_) => ("load_build_class", vec![Frame], Object),
        py::Op::LoadAssertionError(_) => ("load_assertion_error", Vec::new(), Certain),
        py::Op::Import(import) => (
            "import_name",
            vec![
                Frame,
                Name(import.name()),
                Operand(import.level()),
                Operand(import.fromlist()),
            ],
            Object,
        ),
        py::Op::ImportFrom(import) => (
            "import_from",
            vec![Operand(import.module()), Name(import.name())],
            Object,
        ),
        py::Op::MakeCell(make) => (
            "make_cell",
            vec![make.initial().map_or(Null, Operand)],
            Object,
        ),
        py::Op::DeleteCell(delete) => (
            "delete_cell",
            vec![
                Operand(delete.cell()),
                Name(delete.name()),
                Flag(delete.free()),
            ],
            Status,
        ),
        _ => return None,
    })
}

fn attributes_and_items<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    Some(match operation {
        py::Op::GetAttr(get) => (
            "load_attribute",
            vec![Operand(get.object()), Name(get.name()), Cache(4)],
            Object,
        ),
        py::Op::SetAttr(set) => (
            "store_attribute",
            vec![
                Operand(set.object()),
                Name(set.name()),
                Operand(set.value()),
                Cache(4),
            ],
            Status,
        ),
        py::Op::DelAttr(delete) => (
            "delete_attribute",
            vec![Operand(delete.object()), Name(delete.name())],
            Status,
        ),
        py::Op::GetItem(get) => ("load_item", operands(*get), Object),
        py::Op::SetItem(set) => ("store_item", operands(*set), Status),
        py::Op::DelItem(delete) => ("delete_item", operands(*delete), Status),
        py::Op::Slice(slice) => ("build_slice", operands(*slice), Object),
        _ => return None,
    })
}

fn containers<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    Some(match operation {
        py::Op::MapAdd(add) => ("store_item", operands(*add), Status),
        py::Op::ListToTuple(convert) => ("list_to_tuple", operands(*convert), Object),
        py::Op::GetIter(get) => ("get_iterator", operands(*get), Object),
        py::Op::GetLen(get) => ("length", operands(*get), Object),
        py::Op::MatchKeys(r#match) => ("match_keys", operands(*r#match), Object),
        py::Op::MatchClass(r#match) => {
            let mut arguments = operands(*r#match);
            arguments.push(Number(r#match.positional()));
            ("match_class", arguments, Object)
        }
        py::Op::MatchMapping(r#match) => ("is_mapping", operands(*r#match), Truth),
        py::Op::MatchSequence(r#match) => ("is_sequence", operands(*r#match), Truth),
        _ => return None,
    })
}

fn exceptions<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    Some(match operation {
        py::Op::PushExcInfo(push) => (
            "push_exception",
            vec![Thread, Operand(push.exception())],
            Certain,
        ),
        py::Op::PopExcept(_) => (
            "pop_exception",
            vec![Thread, Given(py::PopExcept::PREVIOUS_OPERAND)],
            Nothing,
        ),
        py::Op::ExcMatch(r#match) => ("matches_exception", operands(*r#match), Truth),
        py::Op::PrepReraiseStar(prepare) => ("prepare_reraise", operands(*prepare), Object),
        py::Op::WithExceptStart(start) => ("leave_context", operands(*start), Object),
        py::Op::EndAsyncFor(end) => ("end_async_for", operands(*end), Reraised),
        _ => return None,
    })
}

fn generators_and_calls<'c: 'a, 'a>(operation: py::Op<'c, 'a>) -> Option<Call<'c, 'a>> {
    Some(match operation {
        py::Op::GetYieldFromIter(get) => (
            "get_delegate",
            vec![Operand(get.iterable()), Flag(get.coroutines())],
            Object,
        ),
        py::Op::GetAwaitable(get) => (
            "get_awaitable",
            vec![Operand(get.value()), get.method().map_or(Null, Name)],
            Object,
        ),
        py::Op::GetAiter(get) => ("get_async_iterator", operands(*get), Object),
        py::Op::GetAnext(get) => ("get_async_next", operands(*get), Object),
        py::Op::AsyncGenWrap(wrap) => ("wrap_async_value", operands(*wrap), Object),
        py::Op::CallEx(call) => (
            "call_starred",
            vec![
                Given(py::CallEx::CALLEE_OPERAND),
                Given(py::CallEx::ARGS_OPERAND),
                call.kwargs_range().next().map_or(Null, Given),
            ],
            Object,
        ),
        _ => return None,
    })
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Lowers the current operation if it is one call of the runtime.
    pub(super) fn lower_by_rule(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        if let py::Op::GetAttr(get) = operation
            && self.methods.contains(&get.result().key())
        {
            return Ok(false);
        }
        let Some((function, arguments, returns)) = call(operation) else {
            return Ok(false);
        };
        let arguments = arguments
            .into_iter()
            .map(|argument| self.argument(argument));
        let arguments = arguments.collect::<PassResult<Vec<_>>>()?;
        self.mark();
        match returns {
            Object => self.make(function, &arguments),
            Certain => {
                let pointer = self.call(function, &arguments);
                self.finish(pointer);
            }
            Status => self.perform(function, &arguments),
            Reraised => {
                let status = self.call_status(function, &arguments);
                self.fail_if_negative(status, false);
                self.release_operands();
            }
            Truth => {
                let status = self.call_status(function, &arguments);
                self.fail_if_negative(status, true);
                self.release_operands();
                let flag = self.flag(status);
                self.hold(self.operation().result_value(0), Held::Flag(flag));
            }
            Nothing => {
                self.call_only(function, &arguments);
                self.release_operands();
            }
        }
        Ok(true)
    }

    fn argument(&mut self, argument: Argument<'c, 'a>) -> PassResult<Value<'c, 'a>> {
        Ok(match argument {
            Thread => self.parameters.thread,
            Frame => self.parameters.frame,
            Operand(value) => self.pointer(value),
            Given(index) => self.give(index),
            Null => self.e.null(),
            Name(name) => {
                let offset = self.environment.name(name);
                self.entry(offset)
            }
            Global(binding) => {
                let offset = self.global_name(binding)?;
                self.entry(offset)
            }
            Number(value) => self.e.number(64, value),
            Flag(flag) => self.e.number(32, flag.into()),
            Cache(words) => {
                let offset = self.environment.cache(words);
                self.entry_address(offset)
            }
        })
    }

    /// The entry of a global's name: its binding's, without the function's namespace.
    pub(super) fn global_name(&mut self, binding: &str) -> PassResult<usize> {
        let globals = self.source.globals();
        let name = binding
            .strip_prefix(globals)
            .and_then(|rest| rest.strip_prefix('.'));
        match name {
            Some(name) => Ok(self.environment.name(name)),
            None => Err(self.error(format!("'{binding}' is not a global of '{globals}'"))),
        }
    }

    /// A status that is not negative as a truth value.
    pub(super) fn flag(&self, status: Value<'c, 'a>) -> Value<'c, 'a> {
        let zero = self.e.number(32, 0);
        self.e.compare(super::emit::Compare::Ne, status, zero)
    }
}
