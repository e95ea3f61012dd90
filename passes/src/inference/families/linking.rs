//! Library functions that are linked: a host compiles them once and keeps them.
//!
//! The code of a library function depends on the types of its arguments alone. A host with a
//! [`Linker`] compiles the large ones once for each combination of types; programs that call them
//! only declare them, and inference doesn't analyse their bodies again.

use super::objects::call_declared;
use crate::{
    inference::{
        emit::Emit,
        program::specialization::{Literals, SpecId},
        val::Val,
    },
    infra::{BlockExt, OperationExt, ValueExt, ops::marks},
    py::function::PyFunction,
    types::{
        objects::{has_object, is_plain},
        tuples,
    },
};
use melior::{
    Context,
    ir::{Attribute, Operation, Type, attribute::StringAttribute},
};
use pyopt_dialects::{
    enums::LibraryRole,
    typed::{TypedType, array_type},
};
use pyopt_library as library;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// The least number of operations, callees included, of a function that is linked: smaller ones
/// gain more from being inlined than they cost.
const MIN_OPERATIONS: usize = 90;

/// A function of the library, as it is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct LibraryCall {
    /// Its symbol.
    pub function: &'static str,
    /// The typed types of the arguments.
    pub arguments: Vec<String>,
    /// The attributes of those arguments that it is compiled for, with their positions.
    pub literals: Vec<(usize, String)>,
}

impl LibraryCall {
    /// The call of a function by its symbol; `None` if the library has none of this name.
    pub fn new(
        symbol: &str,
        arguments: Vec<String>,
        literals: Vec<(usize, String)>,
    ) -> Option<Self> {
        let function = library::find(symbol)?.symbol;
        Some(Self {
            function,
            arguments,
            literals,
        })
    }
}

/// Machine code that a host keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The symbol that stands for it in machine code: `pyopt_call_library` is called with its address.
    pub symbol: String,
    /// The typed type of the result.
    pub result: String,
}

/// Keeps compiled functions of the library for a host.
pub trait Linker: Send + Sync {
    /// What was compiled before.
    fn find(&self, call: &LibraryCall) -> Option<Linked>;

    /// Compiles a function, whose result has the type; `None` if that can't be done.
    fn compile(&self, call: &LibraryCall, result: &str) -> Option<Linked>;
}

/// Lifts a function of the library to a `py.func`, for a module that asks for it.
pub fn lift<'c>(context: &'c Context, symbol: &str) -> Result<Operation<'c>, String> {
    match library::find(symbol) {
        Some(source) => source.lift(context),
        None => Err(format!("'{symbol}' is not a function of the library")),
    }
}

static LINKER: OnceLock<Box<dyn Linker>> = OnceLock::new();

/// Sets the linker of this process; the first one stays.
pub fn set_linker(linker: Box<dyn Linker>) {
    LINKER.get_or_init(|| linker);
}

/// Whether a value of a type is an array or has one in it.
fn has_array(ty: Type) -> bool {
    match tuples::elements(ty) {
        Some(elements) => elements.into_iter().any(has_array),
        None => array_type(ty).is_some(),
    }
}

/// Whether a type is that of a container that code compiled by itself can work on: the program
/// doesn't say how its items or keys are compared and hashed.
fn is_plain_container(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::List(item) | TypedType::Set(item) => is_plain(item),
        TypedType::Dict([key, value]) => {
            is_plain(key) && (has_object(value) || is_plain_container(value))
        }
        _ => false,
    }
}

/// The key of a call that may be linked: a user's, of a library function on arrays, or of one on
/// containers that says so.
fn key<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    function: &PyFunction<'c, 'a>,
    types: &[Type<'c>],
    literals: &Literals<'c>,
) -> Option<(&'static dyn Linker, LibraryCall)> {
    let source = function.library?;
    let is_asked = e.program.links && (source.linked || !e.is_library());
    let linker = LINKER.get().filter(|_| is_asked)?;
    let crosses = |ty: &Type<'c>| has_object(*ty) || source.linked && is_plain_container(*ty);
    if !types.iter().all(crosses) || !source.linked && !types.iter().any(|ty| has_array(*ty)) {
        return None;
    }
    let text = |(at, value): &(usize, Attribute<'c>)| (*at, value.to_string());
    let call = LibraryCall {
        function: source.symbol,
        arguments: types.iter().map(ToString::to_string).collect(),
        literals: literals.iter().map(text).collect(),
    };
    Some((linker.as_ref(), call))
}

/// Calls a function of the library that the host has compiled before; `None` for any other.
pub(crate) fn call_known<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: &PyFunction<'c, 'a>,
    inputs: &[Val<'c, 'a>],
    literals: &Literals<'c>,
) -> Option<Val<'c, 'a>> {
    let types: Vec<_> = inputs.iter().map(|input| input.ty).collect();
    let (linker, call) = key(e, function, &types, literals)?;
    let linked = linker.find(&call)?;
    let result = Type::parse(e.context(), &linked.result)?;
    let role = function.library.and_then(|source| source.role);
    Some(call_linked(e, inputs, &linked.symbol, result, role))
}

/// Calls a specialisation whose types are known as a function that the host compiles now; `None` if
/// it is better compiled with its caller.
pub(crate) fn call_compiled<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    id: SpecId,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Option<Val<'c, 'a>> {
    let specialization = &e.program.specializations[id];
    let function = specialization.function.clone();
    let (types, literals) = (&specialization.arguments, &specialization.literals);
    let (linker, call) = key(e, &function, types, literals)?;
    let says_so = function.library.is_some_and(|source| source.linked);
    let crosses = has_object(result) || says_so && is_plain_container(result);
    if !crosses || !says_so && operations(e, id) < MIN_OPERATIONS {
        return None;
    }
    let linked = linker.compile(&call, &result.to_string())?;
    let role = function.library.and_then(|source| source.role);
    Some(call_linked(e, inputs, &linked.symbol, result, role))
}

/// The number of operations of a specialisation and its callees, after pruning by types.
fn operations(e: &Emit, id: SpecId) -> usize {
    let all = &e.program.specializations;
    let mut reached = BTreeSet::from([id]);
    loop {
        let callees = (0..all.len()).filter(|callee| {
            let callers = &all[*callee].dependents;
            callers.iter().any(|caller| reached.contains(caller))
        });
        let found: Vec<_> = callees.filter(|callee| !reached.contains(callee)).collect();
        if found.is_empty() {
            break;
        }
        reached.extend(found);
    }
    // A function that several types are given to counts once, as its largest body.
    let mut sizes = BTreeMap::new();
    for specialization in reached.iter().map(|id| &all[*id]) {
        let blocks = specialization.flow.reached();
        let size: usize = blocks.map(|block| block.operation_list().len()).sum();
        let known = sizes.entry(specialization.function.symbol).or_insert(0);
        *known = size.max(*known);
    }
    sizes.into_values().sum()
}

fn call_linked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    inputs: &[Val<'c, 'a>],
    symbol: &str,
    result: Type<'c>,
    role: Option<LibraryRole>,
) -> Val<'c, 'a> {
    let symbol = StringAttribute::new(e.context(), symbol).into();
    let called = call_declared(e, (marks::LINKED, symbol), "linked", inputs, result);
    if e.is_emitting()
        && let Some((call, role)) = called.ir().defining_op().zip(role)
    {
        call.set_attr(marks::ROLE, role.to_attribute(e.context()));
    }
    called
}
