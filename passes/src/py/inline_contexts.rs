//! `py-inline-contexts`: `with` on a generator that is a context manager (`contextlib.contextmanager`).
//!
//! The generator's code up to its `yield` takes the place of entering the context. What is behind the `yield`
//! is copied to each way out of the block: where the block ends, to go on behind the `with`; where an exception
//! leaves it, with that exception at the `yield`. So there is no generator at run time, and what it computes is
//! typed where it is used.

use super::{
    bindings::Bindings,
    blocks::erase_unreachable,
    edges::Edge,
    function::PyFunction,
    function_object::{FunctionObject, erase_with_parts},
    inline::{bind_free_variables, default_of, reads_free_variables_alone},
    inlining::{arguments, go_on, jump},
    protect::Handler,
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, Report,
    Severity, StatisticSpec, ValueExt, dictionary_entry,
    ops::{py, typed},
};
use melior::ir::{
    BlockRef, OperationRef, RegionRef, Value,
    attribute::{BoolAttribute, StringAttribute},
    operation::OperationLike,
};
use pyopt_dialects::{enums::FunctionKind, py::PyAttribute};
use std::collections::HashSet;

/// The most contexts that a function enters, those of its context managers included: these may enter each other.
const MAX_CONTEXTS: usize = 256;

/// What makes a context manager of a generator.
const DECORATOR: &str = "contextlib.contextmanager";

/// The class of the exception where nothing was yielded, and the name that it is bound to.
const RAISED: &str = "builtins.RuntimeError";

/// `with` on generators.
pub static PASS: PassSpec = PassSpec {
    description: "Entering a context whose manager is a call of a generator with the option `context_manager` \
                  becomes the generator's code up to its `yield`, of which there must be one, outside of loops; \
                  what is behind it is copied to each way out of the block. A generator that returns before \
                  raises RuntimeError. So does one whose manager is a call of an inner generator that \
                  `contextmanager` is applied to where it is made.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("inlined", "contexts that were inlined")],
    ..PassSpec::new(
        "py-inline-contexts",
        "inline generators that are context managers",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let functions = root.nested_ops::<py::Func>();
    let is_named = |function: &py::Func<'c, '_>| function.sym_name() == DECORATOR;
    if !functions
        .iter()
        .any(|function| is_manager(*function) || is_named(function))
    {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    if let Some(first) = first.filter(|_| bindings.binding(RAISED).is_none()) {
        let class = PyAttribute::Named(RAISED).to_attribute(cx.context());
        py::Binding::create(builder.before(first), RAISED, class);
    }
    for function in functions {
        for count in 0.. {
            let mut contexts = function.nested_ops::<py::EnterContext>().into_iter();
            let found = contexts.find_map(|enter| Some((enter, Manager::of(&bindings, enter)?)));
            let Some((enter, manager)) = found else {
                break;
            };
            let parts = match count < MAX_CONTEXTS {
                true => Parts::of(manager.generator),
                false => Err("context managers enter each other without end"),
            };
            let expanded = parts.and_then(|parts| manager.expand(&builder, enter, &parts));
            if let Err(message) = expanded {
                return Err(cx.fail(Report::new(Severity::Error, enter.location(), message)));
            }
            cx.bump("inlined", 1);
            // What copies have before their `yield` refers to managers of contexts in the first one.
            erase_unreachable(function);
        }
        for (decoration, maker) in decorations(&bindings, function) {
            if decoration.result().has_uses() {
                let message = "an inner function that is a context manager is entered by 'with' alone, in the \
                               function that makes it";
                return Err(cx.fail(Report::new(Severity::Error, decoration.location(), message)));
            }
            decoration.erase();
            if !maker.result().has_uses() {
                erase_with_parts(maker);
            }
        }
    }
    Ok(())
}

/// The inner functions of a function that become context managers.
fn decorations<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
) -> Vec<(py::Call<'c, 'a>, py::MakeFunction<'c, 'a>)> {
    let calls = function.nested_ops::<py::Call>().into_iter();
    calls
        .filter_map(|call| Some((call, decorated(bindings, call)?)))
        .collect()
}

/// The inner function that a call makes a context manager.
fn decorated<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    call: py::Call<'c, 'a>,
) -> Option<py::MakeFunction<'c, 'a>> {
    let callee = bindings.callee(call.callee())?;
    let is_decorator = callee.sym_name() == DECORATOR;
    match call.args().as_slice() {
        [function] if is_decorator => py::MakeFunction::defining(*function),
        _ => None,
    }
}

fn is_manager(function: py::Func) -> bool {
    let option = |options| dictionary_entry(options, "context_manager");
    function.kind() == FunctionKind::Generator && function.options().and_then(option).is_some()
}

/// The call that makes a context manager, and what it calls.
struct Manager<'c, 'a> {
    call: py::Call<'c, 'a>,
    generator: py::Func<'c, 'a>,
    /// What it is made of, if it is an inner function.
    object: Option<FunctionObject<'c, 'a>>,
}

/// What a generator is made of, by the numbers of its blocks.
struct Parts {
    /// The block with the `yield`.
    yielding: usize,
    /// The blocks that control comes to behind it.
    behind: HashSet<usize>,
}

impl Parts {
    /// Divides the blocks of a generator. The error says what isn't supported.
    fn of(generator: py::Func) -> Result<Self, &'static str> {
        let blocks = generator.body().block_list();
        let number = |block: &BlockRef| blocks.iter().position(|other| other == block);
        let yields = generator.nested_ops::<py::Yield>();
        let [only] = yields.as_slice() else {
            return Err("a context manager in compiled code has one 'yield'");
        };
        let yielding = only.parent_block().as_ref().and_then(number);
        let yielding = yielding.ok_or("the 'yield' of the context manager is in no block")?;
        let next = |at: usize| {
            let end = blocks[at].terminator_op().into_iter();
            end.flat_map(OperationExt::successor_blocks)
                .filter_map(|block| number(&block))
        };
        let mut behind = HashSet::new();
        let mut waiting: Vec<_> = next(yielding).collect();
        while let Some(at) = waiting.pop() {
            if behind.insert(at) {
                waiting.extend(next(at));
            }
        }
        if behind.contains(&yielding) {
            return Err("a context manager in compiled code has its 'yield' outside of loops");
        }
        Ok(Self { yielding, behind })
    }
}

/// A copy of a generator's blocks.
struct Copied<'c, 'a> {
    blocks: Vec<BlockRef<'c, 'a>>,
    /// What the blocks before the `yield` compute, and the operations of its block up to it.
    before: Vec<Value<'c, 'a>>,
    /// The `yield`.
    at: py::Yield<'c, 'a>,
}

impl<'c: 'a, 'a> Copied<'c, 'a> {
    /// Copies a generator's blocks to the end of a region.
    fn of(
        builder: &Builder<'c, 'a>,
        generator: py::Func<'c, 'a>,
        region: RegionRef<'c, 'a>,
        given: &[Value<'c, 'a>],
        parts: &Parts,
        object: Option<&FunctionObject<'c, 'a>>,
    ) -> Option<Self> {
        let body = generator.body();
        let parameters = body.entry()?.argument_values();
        let mapping: Vec<_> = parameters.into_iter().zip(given.iter().copied()).collect();
        let count = region.block_list().len();
        builder.clone_region(body, region, &mapping);
        let blocks = region.block_list().split_off(count);
        for block in &blocks {
            // What is a variable of the generator's isn't one of the caller's.
            for operation in block.operation_list() {
                if operation.isa::<typed::Variable>() {
                    operation.erase();
                }
            }
            match object {
                Some(object) => take_cells(builder, *block, object)?,
                None => bind_free_variables(builder, *block),
            }
        }
        let mut operations = blocks[parts.yielding].operation_list().into_iter();
        let at = operations.find_map(py::Yield::of)?;
        let mut before = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if parts.behind.contains(&number) {
                continue;
            }
            before.extend(block.argument_values());
            for operation in block.operation_list() {
                if operation == *at {
                    break;
                }
                before.extend(operation.result_values());
            }
        }
        Some(Self { blocks, before, at })
    }

    /// Gives the block that begins behind the `yield`, which gave None and is gone.
    fn behind(&self, builder: &Builder<'c, 'a>) -> BlockRef<'c, 'a> {
        let behind = builder.split_block(*self.at);
        builder.before(*self.at).at(self.at.location());
        let none = py::Constant::create(builder, none(builder)).result();
        builder.replace_op(*self.at, &[none]);
        behind
    }

    /// Takes the values that another copy has computed before its `yield` for those of this one.
    fn take(&self, other: &[Value<'c, 'a>]) {
        for (own, others) in self.before.iter().zip(other) {
            own.replace_all_uses(*others);
        }
    }

    /// Has the blocks behind the `yield` go on at a block where they return, and raise to a handler.
    fn leave_to(
        &self,
        builder: &Builder<'c, 'a>,
        start: BlockRef<'c, 'a>,
        parts: &Parts,
        rest: BlockRef<'c, 'a>,
        handler: Option<&Handler<'c, 'a>>,
    ) {
        let numbers = self.blocks.iter().enumerate();
        let others = numbers.filter(|(number, _)| parts.behind.contains(number));
        for block in others.map(|(_, block)| *block).chain([start]) {
            let Some(end) = block.terminator_op() else {
                continue;
            };
            if end.isa::<py::Return>() {
                builder.before(end).at(end.location());
                go_on(builder, handler, rest, &[]);
                end.erase();
            } else if let Some(handler) = handler {
                handler.protect(builder, end);
            }
        }
    }
}

impl<'c: 'a, 'a> Manager<'c, 'a> {
    /// The manager of a context, if it is a generator that is called for it alone.
    fn of(bindings: &Bindings<'c, 'a>, enter: py::EnterContext<'c, 'a>) -> Option<Self> {
        let call = py::Call::defining(enter.manager())?;
        if call.result().users().len() != 1 {
            return None;
        }
        if let Some(maker) =
            py::Call::defining(call.callee()).and_then(|call| decorated(bindings, call))
        {
            let generator = bindings.function(maker.code())?;
            return (generator.kind() == FunctionKind::Generator).then_some(Self {
                call,
                generator,
                object: Some(FunctionObject::of(maker)?),
            });
        }
        let generator = bindings
            .callee(call.callee())
            .filter(|callee| is_manager(*callee))?;
        reads_free_variables_alone(generator).then_some(Self {
            call,
            generator,
            object: None,
        })
    }

    /// Puts the generator's code in the place of entering and leaving.
    fn expand(
        &self,
        builder: &Builder<'c, 'a>,
        enter: py::EnterContext<'c, 'a>,
        parts: &Parts,
    ) -> Result<(), &'static str> {
        const WRONG_CALL: &str = "the arguments don't fit the parameters of the context manager";
        const WRONG_WAY: &str = "the way out of this context is a value that goes on";
        let function = PyFunction::read(*self.generator).map_err(|_| WRONG_CALL)?;
        builder.before(*enter).at(enter.location());
        let defaults = |function: &PyFunction<'c, 'a>, index: usize| match &self.object {
            Some(object) => object.default_of(function, index),
            None => default_of(function, index),
        };
        let given = arguments(builder, self.call, &function, &defaults).ok_or(WRONG_CALL)?;
        let block = enter.parent_block().ok_or(WRONG_WAY)?;
        let region = block.region().ok_or(WRONG_WAY)?;
        let handler = block.terminator_op().and_then(Handler::of);
        let copy = || {
            Copied::of(
                builder,
                self.generator,
                region,
                &given,
                parts,
                self.object.as_ref(),
            )
            .ok_or(WRONG_WAY)
        };

        let first = copy()?;
        let rest = builder.split_block(*enter);
        builder.at_end(block);
        go_on(builder, handler.as_ref(), first.blocks[0], &[]);
        for way in enter.exit().users() {
            let next = copy()?;
            next.take(&first.before);
            match py::WithExceptStart::of(way) {
                Some(way) => next.leave_by_exception(builder, way, parts)?,
                None if py::Call::of(way).is_some_and(|call| call.callee() == enter.exit()) => {
                    next.leave(builder, way, parts)?;
                }
                None => return Err(WRONG_WAY),
            }
        }
        // The first copy ends with what it yields.
        let yielded = first.at.value();
        first.behind(builder);
        let yielding = first.blocks[parts.yielding];
        builder.at_end(yielding);
        go_on(builder, handler.as_ref(), rest, &[]);
        for end in first
            .blocks
            .iter()
            .filter_map(|block| block.terminator_op())
        {
            let end = match end.isa::<py::Return>() {
                true => raise_without_yield(builder, end),
                false => end,
            };
            if let Some(handler) = &handler {
                handler.protect(builder, end);
            }
        }
        enter.value().replace_all_uses(yielded);
        enter.erase();
        self.call.erase();
        Ok(())
    }
}

impl<'c: 'a, 'a> Copied<'c, 'a> {
    /// Leaves a block at its end: goes on behind the `yield`, and then where the call was.
    fn leave(
        &self,
        builder: &Builder<'c, 'a>,
        call: OperationRef<'c, 'a>,
        parts: &Parts,
    ) -> Result<(), &'static str> {
        const NOWHERE: &str = "leaving a context is in no block";
        let block = call.parent_block().ok_or(NOWHERE)?;
        let handler = block.terminator_op().and_then(Handler::of);
        builder.before(call).at(call.location());
        let result = py::Constant::create(builder, none(builder)).result();
        let start = self.behind(builder);
        let rest = builder.split_block(call);
        builder.at_end(block).at(call.location());
        jump(builder, start, &[]);
        self.leave_to(builder, start, parts, rest, handler.as_ref());
        builder.replace_op(call, &[result]);
        Ok(())
    }

    /// Leaves a block with an exception, which is raised at the `yield`: the generator goes on with its handler.
    /// One that returns has swallowed the exception.
    fn leave_by_exception(
        &self,
        builder: &Builder<'c, 'a>,
        way: py::WithExceptStart<'c, 'a>,
        parts: &Parts,
    ) -> Result<(), &'static str> {
        const NOWHERE: &str = "leaving a context is in no block";
        let block = way.parent_block().ok_or(NOWHERE)?;
        let end = self.blocks[parts.yielding].terminator_op();
        let catching =
            end.and_then(|end| Some((end, Edge::of(end).into_iter().find(|edge| edge.unwind)?)));
        builder.before(*way).at(way.location());
        let swallows = BoolAttribute::new(builder.context(), catching.is_some()).into();
        let swallows = py::Constant::create(builder, swallows).result();
        if let Some((end, edge)) = catching {
            let handler = block.terminator_op().and_then(Handler::of);
            let passed = [vec![way.exception()], edge.passed(end)].concat();
            let start = self.behind(builder);
            let rest = builder.split_block(*way);
            builder.at_end(block).at(way.location());
            jump(builder, edge.target, &passed);
            self.leave_to(builder, start, parts, rest, handler.as_ref());
        }
        builder.replace_op(*way, &[swallows]);
        Ok(())
    }
}

/// Free variables, in a copy of an inner function's body, are the cells that the function object has.
fn take_cells<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    object: &FunctionObject<'c, 'a>,
) -> Option<()> {
    let operations = block.operation_list().into_iter();
    for cell in operations.filter_map(py::FreeCell::of).collect::<Vec<_>>() {
        let index = usize::try_from(cell.index()).ok()?;
        builder.replace_op(*cell, &[*object.cells.get(index)?]);
    }
    Some(())
}

/// Raises what CPython does where a generator returns before it has yielded, in the place of the return.
fn raise_without_yield<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    end: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    builder.before(end).at(end.location());
    let message = StringAttribute::new(builder.context(), "generator didn't yield").into();
    let message = py::Constant::create(builder, message).result();
    let class = py::Global::create(builder, RAISED).result();
    let exception = py::Call::create(builder, class, &[message]).result();
    let raise = py::Raise::create(builder, Some(exception), None, &[], &[]);
    end.erase();
    *raise
}

fn none<'c>(builder: &Builder<'c, '_>) -> melior::ir::Attribute<'c> {
    PyAttribute::None.to_attribute(builder.context())
}
