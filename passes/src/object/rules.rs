//! Operations that are one call of the runtime: which, with what.

use super::function::{Function, Held};
use crate::infra::{AttributeExt, OperationAttributes, OperationExt, PassResult};
use melior::ir::{Value, operation::OperationLike};

/// An argument of a runtime function.
#[derive(Clone, Copy)]
enum Argument {
    /// The thread state.
    Thread,
    /// The frame.
    Frame,
    /// An operand, which the caller keeps alive.
    Operand(usize),
    /// An operand, or null where the operation hasn't so many.
    Optional(usize),
    /// An operand whose reference the runtime takes over, or null where the operation hasn't so many.
    Given(usize),
    /// The interned string of an attribute, or null without the attribute.
    Name(&'static str),
    /// The interned string of a global's name.
    Global,
    /// The value of an integer attribute.
    Number(&'static str),
    /// Whether a unit attribute is there.
    Flag(&'static str),
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

/// One operation.
struct Rule {
    operation: &'static str,
    function: &'static str,
    arguments: &'static [Argument],
    returns: Returns,
}

const fn rule(
    operation: &'static str,
    function: &'static str,
    arguments: &'static [Argument],
    returns: Returns,
) -> Rule {
    Rule {
        operation,
        function,
        arguments,
        returns,
    }
}

use Argument::{Cache, Flag, Frame, Given, Global, Name, Number, Operand, Optional, Thread};
use Returns::{Certain, Nothing, Object, Reraised, Status, Truth};

/// Operands of an operation with so many.
const ONE: &[Argument] = &[Operand(0)];
const TWO: &[Argument] = &[Operand(0), Operand(1)];
const THREE: &[Argument] = &[Operand(0), Operand(1), Operand(2)];

const RULES: &[Rule] = &[
    // Names
    rule(
        "py.set_global",
        "store_global",
        &[Frame, Global, Operand(0)],
        Status,
    ),
    rule(
        "py.delete_global",
        "delete_global",
        &[Frame, Global],
        Status,
    ),
    rule("py.load_build_class", "load_build_class", &[Frame], Object),
    rule(
        "py.load_assertion_error",
        "load_assertion_error",
        &[],
        Certain,
    ),
    rule(
        "py.import",
        "import_name",
        &[Frame, Name("name"), Operand(0), Operand(1)],
        Object,
    ),
    rule(
        "py.import_from",
        "import_from",
        &[Operand(0), Name("name")],
        Object,
    ),
    // Cells
    rule("py.make_cell", "make_cell", &[Optional(0)], Object),
    rule(
        "py.delete_cell",
        "delete_cell",
        &[Operand(0), Name("name"), Flag("free")],
        Status,
    ),
    // Attributes and items
    rule(
        "py.getattr",
        "load_attribute",
        &[Operand(0), Name("name"), Cache(4)],
        Object,
    ),
    rule(
        "py.setattr",
        "store_attribute",
        &[Operand(0), Name("name"), Operand(1), Cache(4)],
        Status,
    ),
    rule(
        "py.delattr",
        "delete_attribute",
        &[Operand(0), Name("name")],
        Status,
    ),
    rule("py.getitem", "load_item", TWO, Object),
    rule("py.setitem", "store_item", THREE, Status),
    rule("py.delitem", "delete_item", TWO, Status),
    rule("py.slice", "build_slice", THREE, Object),
    // Containers and text
    rule("py.map_add", "store_item", THREE, Status),
    rule("py.list_to_tuple", "list_to_tuple", ONE, Object),
    rule("py.get_iter", "get_iterator", ONE, Object),
    rule("py.get_len", "length", ONE, Object),
    rule("py.match_keys", "match_keys", TWO, Object),
    rule(
        "py.match_class",
        "match_class",
        &[Operand(0), Operand(1), Operand(2), Number("positional")],
        Object,
    ),
    rule("py.match_mapping", "is_mapping", ONE, Truth),
    rule("py.match_sequence", "is_sequence", ONE, Truth),
    // Exceptions
    rule(
        "py.push_exc_info",
        "push_exception",
        &[Thread, Operand(0)],
        Certain,
    ),
    rule(
        "py.pop_except",
        "pop_exception",
        &[Thread, Given(0)],
        Nothing,
    ),
    rule("py.exc_match", "matches_exception", TWO, Truth),
    rule("py.prep_reraise_star", "prepare_reraise", TWO, Object),
    rule("py.with_except_start", "leave_context", TWO, Object),
    rule("py.end_async_for", "end_async_for", ONE, Reraised),
    // Generators
    rule(
        "py.get_yield_from_iter",
        "get_delegate",
        &[Operand(0), Flag("coroutines")],
        Object,
    ),
    rule(
        "py.get_awaitable",
        "get_awaitable",
        &[Operand(0), Name("method")],
        Object,
    ),
    rule("py.get_aiter", "get_async_iterator", ONE, Object),
    rule("py.get_anext", "get_async_next", ONE, Object),
    rule("py.async_gen_wrap", "wrap_async_value", ONE, Object),
    // Calls
    rule(
        "py.call_ex",
        "call_starred",
        &[Given(0), Given(1), Given(2)],
        Object,
    ),
];

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Lowers the current operation if it is one call of the runtime.
    pub(super) fn lower_by_rule(&mut self) -> PassResult<bool> {
        let operation = self.operation();
        let name = operation.full_name();
        let Some(rule) = RULES.iter().find(|rule| rule.operation == name) else {
            return Ok(false);
        };
        let is_method = operation.result_count() == 1
            && self
                .methods
                .contains(&super::liveness::key(operation.result_value(0)));
        if is_method {
            return Ok(false);
        }
        let arguments: PassResult<Vec<_>> = rule
            .arguments
            .iter()
            .map(|argument| self.argument(*argument))
            .collect();
        let arguments = arguments?;
        self.mark();
        match rule.returns {
            Object => self.make(rule.function, &arguments),
            Certain => {
                let pointer = self.call(rule.function, &arguments);
                self.finish(pointer);
            }
            Status => self.perform(rule.function, &arguments),
            Reraised => {
                let status = self.call_status(rule.function, &arguments);
                self.fail_if_negative(status, false);
                self.release_operands();
            }
            Truth => {
                let status = self.call_status(rule.function, &arguments);
                self.fail_if_negative(status, true);
                self.release_operands();
                let flag = self.flag(status);
                self.hold(operation.result_value(0), Held::Flag(flag));
            }
            Nothing => {
                self.call_only(rule.function, &arguments);
                self.release_operands();
            }
        }
        Ok(true)
    }

    fn argument(&mut self, argument: Argument) -> PassResult<Value<'c, 'a>> {
        let operation = self.operation();
        let value = match argument {
            Thread => self.parameters.thread,
            Frame => self.parameters.frame,
            Operand(index) => self.operand(index),
            Optional(index) if index < operation.operand_count() => self.operand(index),
            Optional(_) => self.e.null(),
            Given(index) if index < operation.operand_count() => self.give(index),
            Given(_) => self.e.null(),
            Name(attribute) => match operation.str_attr(attribute) {
                Some(name) => {
                    let offset = self.environment.name(name);
                    self.entry(offset)
                }
                None => self.e.null(),
            },
            Global => {
                let offset = self.global_name()?;
                self.entry(offset)
            }
            Number(attribute) => {
                let value = self.required(attribute, operation.int_attr(attribute))?;
                self.e.number(64, value)
            }
            Flag(attribute) => self.e.number(32, operation.flag_attr(attribute).into()),
            Cache(words) => {
                let offset = self.environment.cache(words);
                self.entry_address(offset)
            }
        };
        Ok(value)
    }

    /// The entry of a global's name: its binding's, without the function's namespace.
    pub(super) fn global_name(&mut self) -> PassResult<usize> {
        let operation = self.operation();
        let binding = operation
            .attr("binding")
            .and_then(|binding| binding.symbol_value());
        let binding = self.required("binding", binding)?;
        let globals = self.source.str_attr("globals").unwrap_or_default();
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
