//! The module under inference: its functions, its bindings, and the specialisations that are
//! asked for.

use super::{
    arrays::Kernel,
    combiners::Combiner,
    flow::Flow,
    issue::Typing,
    lattice::Fact,
    library_calls,
    objects::HostFunction,
    overloads::Overloads,
    specialization::{Literals, SpecId, Specialization},
};
use crate::{
    infra::{
        AttributeExt, BlockExt, OperationAttributes, PassContext, PassFailure, PassResult, Report,
        Severity,
        ops::{marks, py},
    },
    library::{self, Source},
    py::function::PyFunction,
    types::{display::display_list, join::join_types},
};
use melior::{
    Context,
    ir::{Attribute, BlockLike, BlockRef, Location, Operation, Type, operation::OperationLike},
};
use std::{collections::HashMap, rc::Rc};

/// The most specialisations of a function; only a recursion on ever new types reaches it.
const MAX_SPECIALIZATIONS: usize = 64;

/// How often the result type of a specialisation may change while more is learnt of its callees:
/// the limit ends recursions whose types grow without bound.
const MAX_REVISIONS: usize = 16;

/// How many calls the notes of a diagnostic show.
const MAX_CALLS: usize = 8;

/// The key of a specialisation: the function, the argument types, and the texts of the argument
/// values that it is specialised for.
type Signature<'c> = (&'c str, Vec<Type<'c>>, Vec<(usize, String)>);

fn literal(pair: Attribute) -> Option<(usize, Attribute)> {
    let [at, value] = pair.elements()?[..] else {
        return None;
    };
    Some((usize::try_from(at.integer_value()?).ok()?, value))
}

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
    /// Whether division by zero raises.
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
    /// The bodies that the host's overloads have returned.
    pub overloads: Overloads,
    blamed: Vec<SpecId>,
    functions: HashMap<&'c str, Rc<PyFunction<'c, 'a>>>,
    bindings: HashMap<&'c str, Attribute<'c>>,
    by_signature: HashMap<Signature<'c>, SpecId>,
    body: BlockRef<'c, 'a>,
    symbols: HashMap<String, usize>,
}

impl<'c, 'a> Program<'c, 'a> {
    /// Reads a module.
    pub fn read(cx: &PassContext<'c>, body: BlockRef<'c, 'a>) -> PassResult<Self> {
        let python_errors = match cx.options().text("error-model") {
            "python" => true,
            "numpy" => false,
            other => {
                return Err(PassFailure::Message(format!(
                    "error-model={other}: expected 'python' or 'numpy'"
                )));
            }
        };
        let products = match cx.options().text("products") {
            "loops" => Products::Loops,
            "matrices" => Products::Matrices,
            "threads" => Products::Threads,
            "all" => Products::All,
            other => {
                return Err(PassFailure::Message(format!(
                    "products={other}: expected 'loops', 'matrices', 'threads' or 'all'"
                )));
            }
        };
        let mut program = Self {
            context: cx.context(),
            python_errors,
            bounds_checks: cx.options().bool("boundscheck"),
            specializations: Vec::new(),
            pending: Vec::new(),
            wanted: Vec::new(),
            links: cx.options().bool("link-library"),
            products,
            threads: cx.options().bool("threads"),
            host_functions: Vec::new(),
            combiners: Vec::new(),
            overloads: Overloads::default(),
            blamed: Vec::new(),
            functions: HashMap::new(),
            bindings: HashMap::new(),
            by_signature: HashMap::new(),
            body,
            symbols: HashMap::new(),
        };
        for operation in body.operation_list() {
            if let Some(symbol) = operation.symbol_name() {
                program.symbols.insert(symbol.into(), 0);
            }
            match py::Op::of(operation) {
                Some(py::Op::Func(_)) => {
                    let function = PyFunction::read(operation)?;
                    let function = PyFunction {
                        library: library::find(function.symbol),
                        ..function
                    };
                    program.functions.insert(function.symbol, function.into());
                }
                Some(py::Op::Binding(binding)) => {
                    program.bindings.insert(binding.sym_name(), binding.value());
                }
                _ => {}
            }
        }
        Ok(program)
    }

    /// The function of a symbol.
    pub fn function(&self, symbol: &str) -> Option<Rc<PyFunction<'c, 'a>>> {
        self.functions.get(symbol).cloned()
    }

    /// A function of the overload library, which becomes one of the program when it is first
    /// called.
    pub fn library_function(&mut self, source: &'static Source) -> Typing<Rc<PyFunction<'c, 'a>>> {
        if let Some(function) = self.function(source.symbol) {
            return Ok(function);
        }
        let operation = source
            .lift(self.context)
            .map_err(|reason| library_calls::broken(source, &reason))?;
        let function = self.add_function(operation, Some(source));
        function.ok_or_else(|| library_calls::broken(source, "it has no parameters"))
    }

    /// Adds a lifted function; `None` if it is malformed.
    pub fn add_function(
        &mut self,
        operation: Operation<'c>,
        library: Option<&'static Source>,
    ) -> Option<Rc<PyFunction<'c, 'a>>> {
        self.body.append_operation(operation);
        let operation = self.body.operation_list().last().copied()?;
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

    /// Adds what a `py.specialize` asks for.
    pub fn request(&mut self, cx: &PassContext<'c>, request: py::Specialize<'c, 'a>) -> PassResult {
        let location = request.location();
        let callee = request.callee();
        let arguments: Vec<_> = request
            .arguments()
            .into_iter()
            .filter_map(AttributeExt::type_value)
            .collect();
        let Some(function) = self.function(callee) else {
            return Err(cx.error(
                location,
                format!("'{callee}' is not a lifted function of this module"),
            ));
        };
        if function.varkeywords {
            return Err(cx.error(
                function.operation.location(),
                format!(
                    "{}() has a parameter for all other keywords, which is not supported",
                    function.name()
                ),
            ));
        }
        if let Some(problem) = function.count_problem(arguments.len(), false) {
            return Err(cx.error(location, problem));
        }
        let literals = request.array_attr(marks::LITERALS).unwrap_or_default();
        let id = self.add(
            function,
            arguments,
            literals.into_iter().filter_map(literal).collect(),
            request.entry().into(),
            location,
            None,
            None,
        );
        let specialization = &mut self.specializations[id];
        specialization.entry = true;
        specialization.wanted = request.result_type();
        if let Some(wanted) = specialization.wanted {
            specialization.result = Fact::of(wanted);
        }
        self.wanted.push(id);
        Ok(())
    }

    /// The specialisation of a function for argument types, and for the values of some arguments,
    /// which the caller depends on.
    pub fn demand(
        &mut self,
        function: Rc<PyFunction<'c, 'a>>,
        arguments: Vec<Type<'c>>,
        literals: Literals<'c>,
        location: Location<'c>,
        caller: SpecId,
    ) -> Option<SpecId> {
        let values = literals.iter().map(|(at, value)| (*at, value.to_string()));
        let key = (function.symbol, arguments, values.collect());
        let id = match self.by_signature.get(&key) {
            Some(&id) => id,
            None if self.is_exhausted(key.0) => return None,
            None => {
                let arguments = key.1;
                let types: Vec<_> = arguments.iter().map(ToString::to_string).collect();
                let symbol = self.unique(format!("{}({})", function.symbol, types.join(", ")));
                self.by_signature.insert(
                    (key.0, arguments.clone(), key.2),
                    self.specializations.len(),
                );
                self.add(
                    function,
                    arguments,
                    literals,
                    symbol,
                    location,
                    Some(caller),
                    None,
                )
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
        let same = self.specializations.iter().position(|other| {
            other.function.symbol == function.symbol
                && other.arguments == arguments
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

    fn depend(&mut self, id: SpecId, caller: SpecId) {
        let dependents = &mut self.specializations[id].dependents;
        if !dependents.contains(&caller) {
            dependents.push(caller);
        }
    }

    /// Makes callers pass another type of list.
    pub fn demand_argument(&mut self, id: SpecId, index: usize, ty: Type<'c>) {
        let context = self.context;
        let specialization = &mut self.specializations[id];
        let demands = &mut specialization.demands;
        match demands.iter_mut().find(|(at, _)| *at == index) {
            Some((_, before)) => match join_types(context, *before, ty) {
                Some(joined) if joined != *before => *before = joined,
                _ => return,
            },
            None => demands.push((index, ty)),
        }
        let dependents = specialization.dependents.clone();
        self.pending.extend(dependents);
    }

    fn is_exhausted(&self, symbol: &str) -> bool {
        let own = self
            .specializations
            .iter()
            .filter(|specialization| specialization.function.symbol == symbol);
        own.count() >= MAX_SPECIALIZATIONS
    }

    pub(super) fn unique(&mut self, symbol: String) -> String {
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
        if kernel.is_none() && literals.is_empty() {
            self.by_signature
                .entry((function.symbol, arguments.clone(), Vec::new()))
                .or_insert(id);
        }
        self.specializations.push(Specialization {
            function,
            arguments,
            literals,
            symbol,
            entry: false,
            wanted: None,
            result: Fact::default(),
            yielded: Fact::default(),
            returns: false,
            revisions: 0,
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
        // All returns agree: what they disagree with was found before callees were known.
        if joined.conflict.is_some()
            && value.conflict.is_none()
            && specialization.revisions < MAX_REVISIONS
        {
            specialization.revisions += 1;
            joined = value;
        }
        std::mem::replace(&mut specialization.result, joined) != joined
    }

    /// A callee without a result type that hasn't been reported yet.
    pub fn blame_callee(&mut self, id: SpecId) -> Option<SpecId> {
        self.blamed.push(id);
        let callee = (0..self.specializations.len()).find(|callee| {
            let specialization = &self.specializations[*callee];
            *callee != id
                && specialization.result.ty.is_none()
                && specialization.dependents.contains(&id)
                && !self.blamed.contains(callee)
        })?;
        self.blamed.push(callee);
        Some(callee)
    }

    /// The specialisation of a library function that a function outside of the library called, if
    /// that led to this one.
    fn library_call(&self, mut id: SpecId) -> Option<(SpecId, &'static Source)> {
        let mut found = None;
        while let Some(source) = self.specializations[id].function.library {
            found = Some((id, source));
            match self.specializations[id].caller {
                Some(caller) => id = caller,
                None => break,
            }
        }
        found
    }

    /// Reports a problem in a specialisation, with the chain of calls that led to it. A problem in
    /// the library is reported at the program's call of it.
    pub fn fail(
        &self,
        cx: &PassContext<'c>,
        id: SpecId,
        location: Location<'c>,
        message: &str,
        hint: Option<&str>,
    ) -> PassFailure {
        let (id, mut report) = match self.library_call(id) {
            None => (id, Report::new(Severity::Error, location, message)),
            Some((id, source)) => {
                let call = &self.specializations[id];
                let name = source.public_name();
                let types = display_list(call.arguments.iter().copied());
                let message = format!("no implementation of {name} for ({types}): {message}");
                let report = Report::new(Severity::Error, call.call, message)
                    .note(location, format!("in {name} of the library"));
                (call.caller.unwrap_or(id), report)
            }
        };
        if let Some(hint) = hint {
            report = report.hint(hint);
        }
        let mut next = Some(id);
        // The chain of calls is finite: each specialisation was requested by an earlier one.
        for _ in 0..MAX_CALLS {
            let Some(specialization) = next.map(|id| &self.specializations[id]) else {
                break;
            };
            next = specialization.caller;
            if next.is_some() {
                report = report.note(
                    specialization.call,
                    format!(
                        "in the call of {}({})",
                        specialization.function.name(),
                        display_list(specialization.arguments.iter().copied())
                    ),
                );
            }
        }
        cx.fail(report)
    }
}
