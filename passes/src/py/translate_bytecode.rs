//! `py-translate-bytecode`: raw code objects become functions of the `py` dialect.
//!
//! Numba's stage 1. The work is the front end's; this pass decides what is lifted: everything, or,
//! in a module that asks for specialisations, what those can reach. So one function that can't be
//! lifted is no obstacle to the others of its file.

use super::{
    bindings::{asked_symbol, dotted_symbol},
    diagnostics::fail,
    mentions,
};
use crate::infra::{
    AttributeExt, BlockExt, OperationExt, OptionSpec, PassContext, PassResult, PassSpec, RegionExt,
    StatisticSpec, ops::py,
};
use melior::ir::{BlockLike, OperationRef};
use pyopt_frontend::lift::Form;
use std::collections::{BTreeMap, BTreeSet};

/// Lifts `py.code` to `py.func`.
pub static PASS: PassSpec = PassSpec {
    description: "Control flow graph, data flow over the stack, and minimal SSA with block \
                  arguments. In a module with py.specialize only the functions they reach are \
                  lifted; what can't be lifted is an error at its line.",
    options: &[
        OptionSpec::bool(
            "frame",
            "keep locals in the interpreter's frame, for object mode; code of inner functions stays \
         as it is, for the interpreter",
            false,
        ),
        OptionSpec::bool(
            "variables",
            "mark assignments of variables, for debuggers",
            false,
        ),
    ],
    dialects: &["py", "cf", "arith", "typed"],
    statistics: &[StatisticSpec::new("lifted", "functions lifted")],
    ..PassSpec::new(
        "py-translate-bytecode",
        "lift code objects to functions",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let context = cx.context();
    let form = match (cx.options().bool("frame"), cx.options().bool("variables")) {
        (true, _) => Form::Frame,
        (false, true) => Form::Marked,
        (false, false) => Form::Values,
    };
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    let mut codes = BTreeMap::new();
    let mut bindings = BTreeMap::new();
    let mut wanted = Vec::new();
    for operation in body.operation_list() {
        match py::Op::of(operation) {
            Some(py::Op::Code(code)) => {
                codes.insert(code.sym_name(), code);
            }
            Some(py::Op::Binding(binding)) => {
                let mentioned = mentions::in_value(binding.value());
                if !mentioned.is_empty() {
                    bindings.insert(binding.sym_name(), mentioned);
                }
            }
            Some(py::Op::Specialize(request)) => {
                wanted.push(request.callee());
                let arguments = request.arguments().into_iter();
                let types = arguments.filter_map(AttributeExt::type_value);
                wanted.extend(types.flat_map(mentions::in_type));
            }
            _ => {}
        }
    }
    if wanted.is_empty() {
        wanted.extend(codes.keys().rev());
    }
    if form == Form::Frame {
        let inner = inner_code(&codes);
        wanted.retain(|name| !inner.contains(name));
    }

    let mut failure = None;
    let mut seen = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        let Some(&code) = codes.get(name).filter(|_| seen.insert(name)) else {
            continue;
        };
        let function = match pyopt_frontend::lift::lift(context, *code, form) {
            Ok(function) => body.insert_operation_before(*code, function),
            Err(error) => {
                failure = Some(fail(cx, &error));
                continue;
            }
        };
        code.erase();
        cx.bump("lifted", 1);
        for operation in function.pre_order() {
            let symbol = match py::Op::of(operation) {
                Some(py::Op::GetAttr(_) | py::Op::GetItem(_)) => {
                    let dotted = dotted_symbol(operation);
                    let found = dotted.and_then(|symbol| bindings.get(symbol.as_str()));
                    wanted.extend(found.into_iter().flatten());
                    None
                }
                Some(py::Op::Call(call)) => {
                    let asked = asked_symbol(call);
                    let found = asked.and_then(|symbol| bindings.get(symbol.as_str()));
                    wanted.extend(found.into_iter().flatten());
                    None
                }
                Some(py::Op::Import(_)) => {
                    // Which of the module's attributes are used, inference will know.
                    for (name, found) in &bindings {
                        if name.starts_with(mentions::IMPORTED) {
                            wanted.extend(found);
                        }
                    }
                    None
                }
                Some(py::Op::Global(global)) => Some(global.binding()),
                Some(py::Op::FreeCell(cell)) => Some(cell.binding()),
                Some(py::Op::MakeFunction(maker)) if form != Form::Frame => Some(maker.code()),
                _ => None,
            };
            if let Some(name) = symbol {
                match bindings.get(name) {
                    Some(found) => wanted.extend(found),
                    None => wanted.push(name),
                }
            }
        }
        wanted.extend(mentions::in_defaults(function));
    }
    failure.map_or(Ok(()), Err)
}

/// The code objects that are constants of others: of inner functions and classes.
fn inner_code<'c>(codes: &BTreeMap<&'c str, py::Code<'c, '_>>) -> BTreeSet<&'c str> {
    let constants = codes.values().flat_map(|code| code.consts());
    constants.filter_map(AttributeExt::symbol_value).collect()
}
