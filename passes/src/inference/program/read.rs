//! Reading a module: its functions and bindings, and what is asked for.

use super::{Products, Program};
use crate::{
    infra::{
        AttributeExt, BlockExt, OperationAttributes, PassContext, PassFailure, PassResult, Report,
        Severity,
        ops::{marks, py},
    },
    py::function::PyFunction,
};
use melior::ir::{Attribute, BlockRef, operation::OperationLike};
use pyopt_library as library;
use std::collections::{HashMap, HashSet};

fn literal(pair: Attribute) -> Option<(usize, Attribute)> {
    let [at, value] = pair.elements()?[..] else {
        return None;
    };
    Some((usize::try_from(at.integer_value()?).ok()?, value))
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
            overloads: HashMap::new(),
            refused: HashSet::new(),
            unanswered: HashSet::new(),
            clashes: Vec::new(),
            unresolved: None,
            explained: Vec::new(),
            by_value: HashSet::new(),
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
        if let Some(problem) = function.count_problem(arguments.len(), false) {
            return Err(cx.error(location, problem));
        }
        let literals = request.array_attr(marks::LITERALS).unwrap_or_default();
        let literals: Vec<_> = literals.into_iter().filter_map(literal).collect();
        let is_missing = |at: &&usize| !literals.iter().any(|(known, _)| known == *at);
        if function.library.is_none()
            && let Some(&at) = function.literal_parameters().iter().find(is_missing)
        {
            let name = function.parameters[at];
            let message = format!("literally() needs the value of the argument '{name}'");
            let report = Report::new(Severity::Error, function.operation.location(), message);
            let hint = "hint: call the function with an int, a truth value or a text";
            return Err(cx.fail(report.note(function.operation.location(), hint)));
        }
        let id = self.add(
            function,
            arguments,
            literals,
            request.entry().into(),
            location,
            None,
            None,
        );
        let specialization = &mut self.specializations[id];
        specialization.entry = true;
        specialization.asked.clone_from(&specialization.arguments);
        specialization.c_entry = request.flag_attr(marks::C_ENTRY);
        specialization.want(request.result_type());
        self.wanted.push(id);
        Ok(())
    }
}
