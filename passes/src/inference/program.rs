//! The module under inference: its functions, its bindings, and the specialisations that are
//! asked for.

mod constants;
pub(crate) mod declarations;
mod demands;
pub(crate) mod environment;
pub(crate) mod flow;
mod host_functions;
pub(crate) mod kernel;
pub(crate) mod presence;
mod read;
mod report;
pub(crate) mod specialization;
pub(crate) mod uses;

use self::{
    declarations::{Combiner, HostFunction},
    flow::Flow,
    kernel::Kernel,
    specialization::{Literals, SpecId, Specialization},
    uses::Clash,
};
use crate::{
    inference::{
        issue::{Stop, Typing},
        lattice::Fact,
        resolver::Resolution,
    },
    infra::BlockExt,
    py::{function::PyFunction, mentions},
};
use melior::{
    Context,
    ir::{Attribute, BlockLike, BlockRef, Location, Operation, OperationRef, Type},
};
use pyopt_library::Source;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// How many specialisations of a function one of them may demand, by way of whatever others: a recursion on ever
/// new types reaches it. A function that is called with many types, but doesn't call itself, never does.
const MAX_RECURSIVE_SPECIALIZATIONS: usize = 64;

/// How often the result type of a specialisation may change while more is learnt of its callees:
/// the limit ends recursions whose types grow without bound.
const MAX_REVISIONS: usize = 16;

/// The key of a specialisation: the function, the argument types, the texts of the argument
/// values that it is specialised for, and whether division by zero raises in it.
type Signature<'c> = (&'c str, Vec<Type<'c>>, Vec<(usize, String)>, bool);

/// A question about a name without overloads: the name, and of each argument its keyword and the identities
/// of what is known of it.
type Unanswered<'c> = (String, Vec<(Option<&'c str>, [usize; 3])>);

/// Which products of arrays are calls of the runtime's kernels, and not loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Products {
    /// None: a device or threads are to run the loops.
    Loops,
    /// Those of two matrices.
    Matrices,
    /// Those of two matrices, on threads.
    Threads,
    /// Those with vectors, too.
    All,
}

/// The module under inference.
pub(crate) struct Program<'c, 'a> {
    /// The MLIR context.
    pub context: &'c Context,
    /// Whether division by zero raises in functions that nobody calls and whose decorators don't say.
    pub python_errors: bool,
    /// Whether an index out of bounds raises.
    pub bounds_checks: bool,
    /// All specialisations.
    pub specializations: Vec<Specialization<'c, 'a>>,
    /// The worklist of specialisations to analyse; the last one is next.
    pub pending: Vec<SpecId>,
    /// The specialisations to emit, in order.
    pub wanted: Vec<SpecId>,
    /// Whether large functions of the library are linked.
    pub links: bool,
    /// Which products of arrays the runtime computes.
    pub products: Products,
    /// Whether loops of the library are for threads.
    pub threads: bool,
    /// The functions that the host runs.
    pub host_functions: Vec<HostFunction<'c>>,
    /// The user-defined reductions that calls are steps of.
    pub combiners: Vec<Combiner<'c>>,
    /// What was asked of the host's overloads: the answers by name and argument types.
    pub overloads: HashMap<String, Resolution>,
    /// The functions with operations that have no typed form, but those that are asked for.
    pub refused: HashSet<&'c str>,
    /// What was asked of names that have none.
    pub unanswered: HashSet<Unanswered<'c>>,
    /// Uses of containers that ask for types which nothing is both of.
    pub clashes: Vec<Clash<'c>>,
    /// What gave the containers their types which can't be one variable.
    pub explained: Vec<Clash<'c>>,
    /// The callee whose result type the emission needed and didn't find.
    pub unresolved: Option<SpecId>,
    /// The functions that are specialised for the constants that they are called with.
    by_value: HashSet<&'c str>,
    blamed: Vec<SpecId>,
    functions: HashMap<&'c str, Rc<PyFunction<'c, 'a>>>,
    bindings: HashMap<&'c str, Attribute<'c>>,
    by_signature: HashMap<Signature<'c>, SpecId>,
    body: BlockRef<'c, 'a>,
    symbols: HashMap<String, usize>,
}

impl<'c, 'a> Program<'c, 'a> {
    /// The function of a symbol.
    pub fn function(&self, symbol: &str) -> Option<Rc<PyFunction<'c, 'a>>> {
        self.functions.get(symbol).cloned()
    }

    /// Whether a name of the host's stands for a function, alone or in a tuple.
    pub fn is_named(&self, symbol: &str) -> bool {
        let mut values = self.bindings.values();
        values.any(|value| mentions::in_value(*value).contains(&symbol))
    }

    /// A function of the overload library, which becomes one of the program when it is first
    /// called.
    pub fn library_function(&mut self, source: &'static Source) -> Typing<Rc<PyFunction<'c, 'a>>> {
        if let Some(function) = self.function(source.symbol) {
            return Ok(function);
        }
        let operation = source
            .lift(self.context)
            .map_err(|reason| broken(source, &reason))?;
        let function = self.add_function(operation, Some(source));
        function.ok_or_else(|| broken(source, "it has no parameters"))
    }

    /// Adds a lifted function; `None` if it is malformed.
    pub fn add_function(
        &mut self,
        operation: Operation<'c>,
        library: Option<&'static Source>,
    ) -> Option<Rc<PyFunction<'c, 'a>>> {
        self.body.append_operation(operation);
        let operation = self.body.operation_list().last().copied()?;
        self.enter_function(operation, library)
    }

    /// Takes note of a lifted function of the module; `None` if it is malformed.
    pub fn enter_function(
        &mut self,
        operation: OperationRef<'c, 'a>,
        library: Option<&'static Source>,
    ) -> Option<Rc<PyFunction<'c, 'a>>> {
        let function = Rc::new(PyFunction {
            library,
            ..PyFunction::read(operation).ok()?
        });
        self.functions.insert(function.symbol, function.clone());
        Some(function)
    }

    /// Adds what a global name means.
    pub fn add_binding(&mut self, symbol: &'c str, value: Attribute<'c>) {
        self.bindings.insert(symbol, value);
    }

    /// The operations of the module.
    pub fn body(&self) -> BlockRef<'c, 'a> {
        self.body
    }

    /// What a global name means.
    pub fn binding(&self, symbol: &str) -> Option<Attribute<'c>> {
        self.bindings.get(symbol).copied()
    }

    /// The specialisation of a function for argument types, and for the values of some arguments,
    /// which the caller depends on. `wanted` is the type of its result where that is declared: a
    /// function declares one for the same arguments.
    pub fn demand(
        &mut self,
        function: Rc<PyFunction<'c, 'a>>,
        arguments: Vec<Type<'c>>,
        literals: Literals<'c>,
        wanted: Option<Type<'c>>,
        location: Location<'c>,
        caller: SpecId,
    ) -> Option<SpecId> {
        let values = literals.iter().map(|(at, value)| (*at, value.to_string()));
        let python_errors = self.python_errors_of(&function, Some(caller));
        let key = (function.symbol, arguments, values.collect(), python_errors);
        let id = match self.by_signature.get(&key) {
            Some(&id) => id,
            None => {
                if let Some(outermost) = self.outermost(key.0, caller) {
                    let recursive = &mut self.specializations[outermost].recursive;
                    if *recursive == MAX_RECURSIVE_SPECIALIZATIONS {
                        return None;
                    }
                    *recursive += 1;
                }
                let arguments = key.1;
                let types: Vec<_> = arguments.iter().map(ToString::to_string).collect();
                let symbol = self.unique(format!("{}({})", function.symbol, types.join(", ")));
                self.by_signature.insert(
                    (key.0, arguments.clone(), key.2, python_errors),
                    self.specializations.len(),
                );
                let id = self.add(
                    function,
                    arguments,
                    literals,
                    symbol,
                    location,
                    Some(caller),
                    None,
                );
                self.specializations[id].want(wanted);
                id
            }
        };
        self.depend(id, caller);
        Some(id)
    }

    /// The specialisation of a function as the kernel of a stencil, which the caller depends on.
    pub fn demand_kernel(
        &mut self,
        function: Rc<PyFunction<'c, 'a>>,
        arguments: Vec<Type<'c>>,
        kernel: Kernel,
        location: Location<'c>,
        caller: SpecId,
    ) -> SpecId {
        let python_errors = self.python_errors_of(&function, Some(caller));
        let same = self.specializations.iter().position(|other| {
            other.function.symbol == function.symbol
                && other.arguments == arguments
                && other.python_errors == python_errors
                && other
                    .kernel
                    .as_ref()
                    .is_some_and(|other| other.is_like(&kernel))
        });
        let id = same.unwrap_or_else(|| {
            let symbol = self.unique(format!("{}.kernel", function.symbol));
            self.add(
                function,
                arguments,
                Vec::new(),
                symbol,
                location,
                Some(caller),
                Some(kernel),
            )
        });
        self.depend(id, caller);
        id
    }

    /// Whether division by zero raises in a function: as its decorator says, or else as in its caller.
    fn python_errors_of(&self, function: &PyFunction, caller: Option<SpecId>) -> bool {
        match (function.error_model(), caller) {
            (Some(model), _) => model == "python",
            (None, Some(caller)) => self.specializations[caller].python_errors,
            (None, None) => self.python_errors,
        }
    }

    fn depend(&mut self, id: SpecId, caller: SpecId) {
        let dependents = &mut self.specializations[id].dependents;
        if !dependents.contains(&caller) {
            dependents.push(caller);
        }
    }

    /// The specialisation of a function by way of which `caller` was demanded; of several the first.
    fn outermost(&self, symbol: &str, caller: SpecId) -> Option<SpecId> {
        let callers = std::iter::successors(Some(caller), |&id| self.specializations[id].caller);
        callers
            .filter(|&id| self.specializations[id].function.symbol == symbol)
            .last()
    }

    /// A symbol that the module has none of: this one, or it with a number.
    pub fn unique(&mut self, symbol: String) -> String {
        match self.symbols.get_mut(&symbol) {
            Some(count) => {
                *count += 1;
                let numbered = format!("{symbol}.{count}");
                self.unique(numbered)
            }
            None => {
                self.symbols.insert(symbol.clone(), 0);
                symbol
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a specialisation")]
    fn add(
        &mut self,
        function: Rc<PyFunction<'c, 'a>>,
        arguments: Vec<Type<'c>>,
        literals: Literals<'c>,
        symbol: String,
        call: Location<'c>,
        caller: Option<SpecId>,
        kernel: Option<Kernel>,
    ) -> SpecId {
        let id = self.specializations.len();
        let flow = Flow::new(function.operation);
        let python_errors = self.python_errors_of(&function, caller);
        if kernel.is_none() && literals.is_empty() {
            self.by_signature
                .entry((
                    function.symbol,
                    arguments.clone(),
                    Vec::new(),
                    python_errors,
                ))
                .or_insert(id);
        }
        self.specializations.push(Specialization {
            function,
            original: None,
            returns_to_original: 0,
            arguments,
            literals,
            python_errors,
            symbol,
            entry: false,
            asked: Vec::new(),
            c_entry: false,
            wanted: None,
            result: Fact::default(),
            yielded: Fact::default(),
            returns: false,
            revisions: 0,
            recursive: 0,
            grows: false,
            call,
            caller,
            dependents: Vec::new(),
            flow,
            demands: Vec::new(),
            kernel,
        });
        self.pending.push(id);
        id
    }

    /// Marks a specialisation for emission.
    pub fn want(&mut self, id: SpecId) {
        if !self.wanted.contains(&id) {
            self.wanted.push(id);
        }
    }

    /// Joins the type of a return into the result type; returns whether what callers know has
    /// changed. A result type that was asked for stays.
    pub fn add_return(&mut self, id: SpecId, value: Fact<'c>) -> bool {
        let context = self.context;
        let specialization = &mut self.specializations[id];
        specialization.returns = true;
        if specialization.wanted.is_some() {
            return false;
        }
        let value = Fact {
            literal: None,
            ..value
        };
        let mut joined = specialization.result.join(context, value);
        if joined.is_too_large() {
            return !std::mem::replace(&mut specialization.grows, true);
        }
        // All returns agree: what they disagree with, or widen, was found before callees were known.
        if joined != value && value.conflict.is_none() && specialization.revisions < MAX_REVISIONS {
            specialization.revisions += 1;
            joined = value;
        }
        std::mem::replace(&mut specialization.result, joined) != joined
    }
}

/// What to say when a function of the library can't be lifted.
fn broken(source: &Source, reason: &str) -> Stop {
    Stop::issue(format!("'{}' of the library: {reason}", source.name))
}
