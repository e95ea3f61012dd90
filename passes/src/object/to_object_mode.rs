//! `py-to-object-mode`: functions in frame form become functions of the llvm dialect that call
//! CPython's C API.
//!
//! A compiled function runs on CPython's own frame, `object (thread, frame, environment, throws)`:
//! arguments and locals are in the frame. Stack values are SSA values, each a reference that is
//! given up exactly once on every path, after its last use or on the way out with an exception.

use super::{
    calls,
    emit::Emit,
    environment::Environment,
    function::{self, Function, Parameters, Place, Prologue},
    liveness::Liveness,
    operators,
    references::{self, RELEASE, RELEASE_OPTIONAL},
};
use crate::infra::{
    BlockExt, Builder, Identity, Key, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    ValueExt, internal_linkage,
    ops::{builtin, llvm, marks, py},
};
use melior::{
    dialect::llvm::r#type as types,
    ir::{
        BlockRef, OperationRef, Type, ValueLike, attribute::StringAttribute, block::BlockLike,
        operation::OperationLike,
    },
};
use pyopt_dialects::enums::FunctionKind;
use pyopt_frontend::frame_311::{code, frame, interpreter, thread};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Prefix of the compiled functions' symbols.
const PREFIX: &str = "pyopt_object_entry_";

/// Lowers object mode.
pub static PASS: PassSpec = PassSpec {
    description: "Functions must be in frame form: py-translate-bytecode{frame=true}. Code that \
                  is left as py.code, which the interpreter runs, is dropped. Each function gets \
                  the attribute pyopt.environment: what the host puts into the table of objects \
                  that it refers to.",
    dialects: &["llvm", "pyopt"],
    ..PassSpec::new(
        "py-to-object-mode",
        "lower Python functions to calls of CPython's C API",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let body = builtin::Module::of(module).and_then(|module| module.body_region().entry());
    let Some(body) = body else {
        return Ok(());
    };
    let e = Emit::new(Builder::new(cx.context(), module));
    let mut any = false;
    for operation in body.operation_list() {
        match py::Op::of(operation) {
            Some(py::Op::Func(function)) => {
                lower(cx, &e, function)?;
                any = true;
            }
            Some(py::Op::Code(_) | py::Op::Binding(_)) => {}
            Some(py::Op::Specialize(request)) => {
                return Err(cx.error(
                    request.location(),
                    "object mode compiles functions as they are, not for types",
                ));
            }
            _ => continue,
        }
        operation.erase();
    }
    if any {
        e.at_start(body).at(module.location());
        define_releases(&e);
        for (name, signature) in e.called() {
            if module.lookup_symbol(&name).is_none() {
                let declared = llvm::LLVMFunc::create(&e, &name, signature);
                if function::is_cold(&name) {
                    let cold = StringAttribute::new(cx.context(), "cold").into();
                    declared.set_passthrough(Some(&[cold]));
                }
            }
        }
    }
    Ok(())
}

/// Defines the functions that give up a reference. LLVM decides where they are worth inlining.
fn define_releases(e: &Emit) {
    define_release(e, RELEASE, |entry, free, end| {
        let pointer = entry.argument_value(0);
        let count = e.load(e.i(64), pointer, 0);
        let count = e.binary(llvm::Sub::NAME, count, e.number(64, 1));
        e.store(count, pointer, 0);
        let last = e.compare(super::emit::Compare::Eq, count, e.number(64, 0));
        e.branch_if(last, free, end);
        e.at_end(free);
        e.call("_Py_Dealloc", &[pointer], None);
    });
    define_release(e, RELEASE_OPTIONAL, |entry, release, end| {
        let pointer = entry.argument_value(0);
        let null = e.is_null(pointer);
        e.branch_if(null, end, release);
        e.at_end(release);
        e.call(RELEASE, &[pointer], None);
    });
}

/// Defines a function that does something in its second block or goes to the last.
fn define_release<'c: 'a, 'a>(
    e: &Emit<'c, 'a>,
    name: &str,
    body: impl FnOnce(BlockRef<'c, 'a>, BlockRef<'c, 'a>, BlockRef<'c, 'a>),
) {
    let context = e.context();
    let void = types::void(context);
    let signature = types::function(void, &[e.ptr()], false);
    let function = llvm::LLVMFunc::create(e, name, signature);
    function.set_linkage(internal_linkage(context));
    let region = function.body();
    let before = e.block();
    let entry = e.append_block(region, &[e.ptr()]);
    let then = e.append_block(region, &[]);
    let end = e.append_block(region, &[]);
    e.at_end(entry);
    body(entry, then, end);
    e.branch(end, &[]);
    e.at_end(end);
    llvm::Return::create(e, None);
    e.at_end(before);
}

/// Refuses functions whose parameters are values, which have no place in the frame form.
fn require_frame_form<'c: 'a, 'a>(cx: &PassContext<'c>, source: py::Func<'c, 'a>) -> PassResult {
    let Some(entry) = source.body().entry() else {
        return Err(cx.error(
            source.location(),
            "a function without a body can't be lowered",
        ));
    };
    match entry
        .argument_values()
        .iter()
        .any(|parameter| parameter.has_uses())
    {
        true => Err(cx.error(
            source.location(),
            "parameters aren't read from the frame; lift with 'py-translate-bytecode{frame=true}'",
        )),
        false => Ok(()),
    }
}

fn lower<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    e: &Emit<'c, 'a>,
    source: py::Func<'c, 'a>,
) -> PassResult {
    let symbol = source.sym_name();
    require_frame_form(cx, source)?;
    let blocks = reverse_post_order(source.body().entry());
    let operations: Vec<_> = blocks
        .iter()
        .flat_map(|block| block.operation_list())
        .collect();
    let suspends = source.kind() != FunctionKind::Function;
    let fused: HashSet<Key> = operations
        .iter()
        .filter(|operation| operators::is_fused(**operation))
        .map(|operation| operation.result_value(0).key())
        .collect();
    // The arguments of the function are in the frame.
    let parameters = blocks[0].argument_values();
    let object = pyopt_dialects::py::object_type(cx.context());
    let liveness = Liveness::new(&blocks, |value| {
        let is_object = ValueLike::r#type(&value) == object;
        is_object
            && !fused.contains(&value.key())
            && !parameters.contains(&value)
            && references::is_owned(value)
    });
    let methods = operations
        .iter()
        .filter_map(|operation| py::GetAttr::of(*operation))
        .filter(|attribute| calls::is_method(*attribute, &liveness))
        .map(|attribute| attribute.result().key())
        .collect();

    e.before(*source);
    let pointer = e.ptr();
    let signature = [pointer, pointer, pointer, e.i(32)];
    let target = llvm::LLVMFunc::create(
        e,
        &format!("{PREFIX}{symbol}"),
        types::function(pointer, &signature, false),
    );
    let region = target.body();
    e.at(source.location());
    let entry = e.append_block(region, &signature);
    e.at_end(entry);
    let parameters = Parameters {
        thread: entry.argument_value(0),
        frame: entry.argument_value(1),
        environment: entry.argument_value(2),
        throws: entry.argument_value(3),
    };
    let needed = operations
        .iter()
        .map(|operation| calls::scratch(*operation));
    let prologue = prologue(e, parameters, needed.max().unwrap_or(0));

    let targets: Vec<_> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            let count = match index {
                0 => 0,
                _ => BlockLike::argument_count(block),
            };
            let types: Vec<Type> = vec![pointer; count];
            e.append_block(region, &types)
        })
        .collect();
    let mut function = Function {
        cx,
        e,
        source,
        environment: Environment::new(cx.context()),
        spills: BTreeMap::new(),
        liveness,
        parameters,
        prologue,
        region,
        blocks,
        targets,
        held: HashMap::new(),
        fused,
        methods,
        resumptions: Vec::new(),
        answers: HashMap::new(),
        place: Place::default(),
        failures: HashMap::new(),
        usual: Vec::new(),
        seldom: Vec::new(),
    };
    e.at_end(entry);
    if suspends {
        function.spill();
    }
    function.start(entry, suspends)?;
    function.arrange();
    target.set_attr(marks::ENVIRONMENT, function.environment.attribute());
    target.set_attr(marks::FUNCTION, StringAttribute::new(cx.context(), symbol));
    Ok(())
}

/// What the function computes before anything else.
fn prologue<'c: 'a, 'a>(
    e: &Emit<'c, 'a>,
    parameters: Parameters<'c, 'a>,
    scratch: usize,
) -> Prologue<'c, 'a> {
    let object = e.load_pointer(parameters.frame, frame::CODE);
    let interpreter = e.load_pointer(parameters.thread, thread::INTERPRETER);
    Prologue {
        bytecode: e.address(object, code::BYTECODE),
        breaker: e.address(interpreter, interpreter::BREAKER),
        scratch: e.slots(scratch),
        stack: {
            let count = e.load(e.i(32), object, code::LOCALS);
            let count = llvm::SExt::create(e, count, e.i(64)).res();
            let bytes = e.binary(llvm::Mul::NAME, count, e.number(64, 8));
            let locals = e.address(parameters.frame, frame::LOCALS);
            e.address_by(locals, bytes)
        },
    }
}

/// The blocks that control can reach, each behind those that dominate it.
fn reverse_post_order<'c: 'a, 'a>(entry: Option<BlockRef<'c, 'a>>) -> Vec<BlockRef<'c, 'a>> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    let mut open: Vec<(BlockRef, usize)> = entry.into_iter().map(|entry| (entry, 0)).collect();
    seen.extend(open.iter().map(|(entry, _)| entry.key()));
    while let Some((block, next)) = open.pop() {
        // The last successor first: what is first in the text is first in the order.
        match block.successor_list().iter().rev().nth(next) {
            None => order.push(block),
            Some(successor) => {
                open.push((block, next + 1));
                if seen.insert(successor.key()) {
                    open.push((*successor, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Gives memory to what is live while the function is suspended.
    fn spill(&mut self) {
        for block in 0..self.blocks.len() {
            let operations = self.blocks[block].operation_list();
            let live_after = self.liveness.live_after(block, &operations);
            for (operation, live) in operations.iter().zip(live_after) {
                let Some(suspension) = py::Yield::of(*operation) else {
                    continue;
                };
                let sent = self.liveness.id(suspension.sent());
                for id in live.into_iter().filter(|id| Some(*id) != sent) {
                    if !self.spills.contains_key(&id) {
                        let slot = self.e.slots(1);
                        self.spills.insert(id, slot);
                    }
                }
            }
        }
    }

    fn start(&mut self, entry: BlockRef<'c, 'a>, suspends: bool) -> PassResult {
        if !suspends {
            self.e.branch(self.targets[0], &[]);
            return self.lower();
        }
        let start = self.block();
        self.e.at_end(start);
        self.lower_first_resumption();
        self.e.branch(self.targets[0], &[]);
        self.lower()?;
        self.lower_resumption(entry, start);
        Ok(())
    }
}
