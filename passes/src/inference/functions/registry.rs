//! The functions, constants and types of all families, by qualified name.

use super::{
    builtins, c_memory, cmath, dtypes::convert, intrinsics, kept_results, limits, made_constants,
    math, numpy, numpy_arrays, numpy_axes, numpy_creation, numpy_linear, numpy_ranges,
    numpy_reductions, operator, printing, reflection, row_reductions, table::Function,
    table_intrinsics, threads, ufunc_out,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{exceptions, overloads, times, unbound_methods},
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::AttributeExt,
    types::{
        exceptions::is_instance,
        names::{CLASSES, canonical, is_exception, is_namespace, last_part},
        scalar_names::{scalar_type, time_constructor},
    },
};
use melior::ir::attribute::StringAttribute;
use pyopt_dialects::typed::TypedType;
use pyopt_library::{self as library, Source};
use std::{collections::HashMap, sync::LazyLock};

/// Makes the table of functions, which is made on first use else.
pub(crate) fn load() {
    LazyLock::force(&FUNCTIONS);
}

static FUNCTIONS: LazyLock<HashMap<&str, Function>> = LazyLock::new(|| {
    [
        builtins::FUNCTIONS,
        c_memory::FUNCTIONS,
        cmath::FUNCTIONS,
        intrinsics::FUNCTIONS,
        kept_results::FUNCTIONS,
        limits::FUNCTIONS,
        made_constants::FUNCTIONS,
        math::FUNCTIONS,
        numpy::UNARY,
        numpy::BINARY,
        numpy_arrays::FUNCTIONS,
        numpy_axes::FUNCTIONS,
        numpy_creation::FUNCTIONS,
        numpy_linear::FUNCTIONS,
        numpy_ranges::FUNCTIONS,
        numpy_reductions::FUNCTIONS,
        operator::FUNCTIONS,
        printing::FUNCTIONS,
        reflection::FUNCTIONS,
        table_intrinsics::FUNCTIONS,
        threads::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect()
});

/// Whether a qualified name means something in compiled code.
pub(crate) fn is_known(name: &str) -> bool {
    let name = canonical(name);
    FUNCTIONS.contains_key(name.as_str())
        || is_namespace(&name)
        || constant(&name).is_some()
        || scalar_type(&name).is_some()
        || time_constructor(&name).is_some()
        || is_exception(&name)
        || CLASSES.contains(&name.as_str())
        || library::find(&name).is_some()
        || unbound_methods::is_known(&name)
        || overloads::knows(&name)
}

/// The value of a number of a module.
fn constant(name: &str) -> Option<f64> {
    use std::f64::consts;
    Some(match name {
        "math.pi" | "cmath.pi" | "numpy.pi" => consts::PI,
        "math.e" | "cmath.e" | "numpy.e" => consts::E,
        "math.tau" | "cmath.tau" => consts::TAU,
        "math.inf" | "cmath.inf" | "numpy.inf" => f64::INFINITY,
        "math.nan" | "cmath.nan" | "numpy.nan" => f64::NAN,
        "numpy.euler_gamma" => 0.577_215_664_901_532_9,
        _ => return None,
    })
}

/// What a qualified name of a module stands for.
pub(crate) fn named<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, name: &str) -> Typing<Val<'c, 'a>> {
    let name = canonical(name);
    if let Some(value) = constant(&name) {
        return Ok(e.float(value));
    }
    if name == "numpy.newaxis" {
        return Ok(e.none());
    }
    if !is_known(&name) {
        if let Some(advice) = e.program.binding(&format!("<missing {name}>"))
            && let Some((module, attribute)) = name.rsplit_once('.')
        {
            let message = format!("module '{module}' has no attribute '{attribute}'");
            let advice = advice.string_value().unwrap_or_default();
            return Err(Stop::issue(message).hint(advice));
        }
        let hint = match name.starts_with("numpy.random.") {
            // What it makes can't be passed.
            true => "there are the functions that draw, as np.random.seed and np.random.normal",
            false if is_type_maker(&name) => {
                "make the type outside of compiled code, and use its name here"
            }
            false => {
                "call it outside and pass its result, call it in a 'with objmode' block, or write \
                 it as a compiled function"
            }
        };
        return Err(Stop::issue(format!("'{name}' is not supported in compiled code")).hint(hint));
    }
    let name = e.intern(&name);
    Ok(e.singleton(TypedType::Named(name)))
}

/// Whether a name is that of a class whose instances are types.
fn is_type_maker(name: &str) -> bool {
    name.starts_with("pyopt.types.") || (name.starts_with("pyopt.") && name.ends_with("Type"))
}

/// Calls what a qualified name stands for.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let Some((arguments, out)) = ufunc_out::take(name, arguments)? {
        let result = call(e, name, &arguments)?;
        return ufunc_out::assign(e, &arguments, result, out);
    }
    if let Some(result) = row_reductions::call(e, name, arguments)? {
        return Ok(result);
    }
    match (FUNCTIONS.get(name), library::find(name)) {
        (Some(function), None) => return function(e, arguments),
        (Some(function), Some(source)) => return either(e, *function, source, arguments),
        (None, Some(source)) => return rules::call_library(e, source, arguments),
        (None, None) => {}
    }
    if let Some(number) = scalar_type(name) {
        let ty = number.to_type(e.context());
        return convert(e, arguments, ty);
    }
    if let Some(is_delta) = time_constructor(name) {
        return times::construct(e, is_delta, arguments);
    }
    if is_exception(name) {
        let class = StringAttribute::new(e.context(), last_part(name)).into();
        return exceptions::call(e, class, arguments);
    }
    if let Some(called) = unbound_methods::call(e, name, arguments) {
        return called;
    }
    let first = arguments.positional.first();
    if first.is_some_and(|first| is_instance(first.ty)) {
        return Err(exceptions::not_kept("what is in an exception"));
    }
    Err(Stop::issue(format!("'{name}' can't be called")))
}

/// Calls a function that the compiler has operations for, but maybe not for these arguments: then
/// the library's.
fn either<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: Function,
    source: &'static Source,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let builder = e.builder.take();
    let known = function(e, arguments);
    e.builder = builder;
    match known {
        Err(Stop::Issue(_)) => rules::call_library(e, source, arguments),
        _ if e.is_emitting() => function(e, arguments),
        known => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::names::NAMESPACES;
    use std::collections::BTreeSet;

    #[test]
    fn namespaces_of_known_names_are_listed() {
        pyopt_library::install(&pyopt_library_bytecode::LIBRARY);
        let mut namespaces = BTreeSet::new();
        let functions = FUNCTIONS.keys().copied().chain(library::names());
        for mut name in functions.chain(CLASSES.iter().copied()) {
            while let Some((namespace, _)) = name.rsplit_once('.') {
                namespaces.insert(namespace);
                name = namespace;
            }
        }
        assert_eq!(namespaces.into_iter().collect::<Vec<_>>(), NAMESPACES);
    }
}
