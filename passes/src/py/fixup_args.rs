//! `py-fixup-args`: fits functions to the arguments that are asked for.
//!
//! Numba's `FixupArgs`, which knows the arguments of the one call that it compiles for. Here that
//! is what `py.specialize` says, for a function that nothing else in the module can call: its
//! `*args` become parameters of their own, parameters that are left to their defaults become
//! constants, and the types of the arguments are noted, for the passes that decide by them.

use super::{bindings::Bindings, function::PyFunction};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    StatisticSpec, ValueExt, ops::py,
};
use melior::ir::{
    Attribute, Location, OperationRef, Type, Value, ValueLike,
    attribute::{StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use pyopt_dialects::{
    py::{PyAttribute, object_type},
    typed::TypedType,
};
use std::collections::BTreeMap;

/// Argument counts, `*args` and defaults.
pub static PASS: PassSpec = PassSpec {
    description: "For each function that only `py.specialize` refers to, always with the same \
                  types: `*args` become a parameter each, parameters without an argument become \
                  the constants of their defaults, and `requested_types` says the types. A \
                  request of another function with `*args` gets a copy of its own. \
                  Requests with too few or too many arguments are errors.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "fitted",
        "functions whose argument types are known",
    )],
    ..PassSpec::new(
        "py-fixup-args",
        "fit functions to the arguments asked for",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    let mut requests: BTreeMap<&str, Vec<py::Specialize>> = BTreeMap::new();
    let mut functions = Vec::new();
    let mut referred = Vec::new();
    for operation in body.operation_list() {
        match py::Op::of(operation) {
            Some(py::Op::Specialize(request)) => {
                requests.entry(request.callee()).or_default().push(request);
            }
            Some(py::Op::Func(function)) => functions.push(function),
            Some(py::Op::Binding(binding)) => {
                if let PyAttribute::Function(target) | PyAttribute::Stencil(target, _) =
                    PyAttribute::from(binding.value())
                {
                    referred.push(target);
                }
            }
            _ => {}
        }
    }
    if requests.is_empty() {
        return Ok(());
    }
    for operation in functions.iter().flat_map(|function| function.pre_order()) {
        referred.extend(match py::Op::of(operation) {
            Some(py::Op::Global(global)) => Some(global.binding()),
            Some(py::Op::MakeFunction(maker)) => Some(maker.code()),
            _ => None,
        });
    }
    for function in functions {
        let symbol = function.sym_name();
        let Some(requests) = requests.get(symbol) else {
            continue;
        };
        let arguments: Vec<Vec<Type>> = requests.iter().map(|request| types_of(*request)).collect();
        let parameters = PyFunction::read(*function)?;
        for (request, arguments) in requests.iter().zip(&arguments) {
            if let Some(problem) = parameters.count_problem(arguments.len(), true) {
                return Err(cx.error(request.location(), problem));
            }
        }
        let same = arguments.iter().all(|other| *other == arguments[0]);
        if same && !referred.contains(&symbol) {
            fit(cx, function, &parameters, &arguments[0]);
            cx.bump("fitted", 1);
        } else if parameters.varargs {
            for (request, arguments) in requests.iter().zip(&arguments) {
                let own = copy(cx, root, function, &parameters)?;
                fit(cx, own, &PyFunction::read(*own)?, arguments);
                request.set_callee(own.sym_name());
                cx.bump("fitted", 1);
            }
        }
    }
    Ok(())
}

fn types_of<'c>(request: py::Specialize<'c, '_>) -> Vec<Type<'c>> {
    request
        .arguments()
        .into_iter()
        .filter_map(AttributeExt::type_value)
        .collect()
}

/// Makes a function of its own for a request of one that other calls need as it is: with `*args`,
/// which a recursive call fills in its own way.
fn copy<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    root: OperationRef<'c, 'a>,
    function: py::Func<'c, 'a>,
    parameters: &PyFunction<'c, 'a>,
) -> PassResult<py::Func<'c, 'a>> {
    let context = cx.context();
    let builder = Builder::new(context, *function);
    builder.after(*function);
    let copy = py::Func::of(builder.clone_op(*function, &[])).expect("a copy of a function");
    let name = (0..)
        .map(|count| format!("{}.request.{count}", parameters.symbol))
        .find(|name| root.lookup_symbol(name).is_none())
        .expect("there are names without end");
    copy.set_sym_name(&name);
    copy.set_attr("qualname", StringAttribute::new(context, parameters.name()));
    Ok(copy)
}

/// Makes the parameters of a function those that there are arguments for.
fn fit<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    function: py::Func<'c, 'a>,
    parameters: &PyFunction<'c, 'a>,
    arguments: &[Type<'c>],
) {
    let context = cx.context();
    let Some(entry) = function.body().entry() else {
        return;
    };
    let Some(first) = entry.first() else {
        return;
    };
    let builder = Builder::new(context, *function);
    let object = object_type(context);
    let named = parameters.defaults.len();
    let mut names: Vec<String> = parameters.parameters[..named.min(arguments.len())]
        .iter()
        .map(|name| (*name).into())
        .collect();
    builder.before(first).at(function.location());
    if parameters.varargs {
        let packed = entry.argument_value(named);
        let extra = arguments.len().saturating_sub(named);
        let items: Vec<_> = (0..extra)
            .map(|index| {
                names.push(format!("{}.{index}", parameters.parameters[named]));
                // The location of a parameter carries its name.
                let location = Location::name(context, &names[named + index], function.location());
                entry.push_argument(object, location)
            })
            .collect();
        packed.replace_all_uses(py::BuildTuple::create(&builder, &items).result());
        entry.remove_argument(named);
        function.set_varargs(false);
        if parameters.varkeywords {
            // It stays the last one.
            let place = named;
            let location = Location::name(
                context,
                parameters.parameters[named + 1],
                function.location(),
            );
            let last = entry.push_argument(object, location);
            entry.argument_value(place).replace_all_uses(last);
            entry.remove_argument(place);
        }
    }
    if parameters.varkeywords {
        names.extend(parameters.parameters.last().map(|name| (*name).into()));
    }
    for index in (arguments.len()..named).rev() {
        let value = parameters.defaults[index].expect("the count of arguments is checked");
        let constant = py::Constant::create(&builder, value).result();
        entry.argument_value(index).replace_all_uses(constant);
        entry.remove_argument(index);
    }
    if parameters.varargs || arguments.len() < named {
        let names: Vec<Attribute> = names
            .iter()
            .map(|name| StringAttribute::new(context, name).into())
            .collect();
        let inputs = vec![object; names.len()];
        let ty = FunctionType::new(context, &inputs, &[object]);
        function.set_function_type(ty.into());
        function.set_arg_names(&names);
        // Nothing is left to a default, and order is all that counts.
        function.set_kwonlyargcount(0);
        function.set_posonlyargcount(0);
        function.set_defaults(None);
        function.set_kwdefaults(None);
    }
    let types: Vec<Attribute> = arguments
        .iter()
        .map(|ty| TypeAttribute::new(*ty).into())
        .collect();
    function.set_requested_types(Some(&types));
}

/// The type of a value that is an argument of its function, where it is known.
pub(super) fn argument_type<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Type<'c>> {
    if !value.is_block_argument() {
        return None;
    }
    let block = value.defining_block();
    let function = py::Func::of(block.parent()?)?;
    if function.body().entry() != Some(block) {
        return None;
    }
    function
        .requested_types()?
        .get(value.position())?
        .type_value()
}

/// What a value is on every path: a constant, or an argument whose type says it.
pub(super) fn known_value<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    value: Value<'c, 'a>,
) -> Option<Attribute<'c>> {
    let literal = || match TypedType::from(argument_type(value)?) {
        TypedType::Literal(literal) => Some(literal),
        _ => None,
    };
    bindings.constant(value).or_else(literal)
}
