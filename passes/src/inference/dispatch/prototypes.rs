//! Calls of functions whose decorator declares signatures: arguments are converted to those of the
//! signature that fits best, results to its result, whatever types the call has.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    py::function::{Prototype, PyFunction},
    types::{
        conversion::{Conversion, Rating, best, conversion},
        display::{display, display_list},
    },
};
use melior::{Context, ir::Type};
use pyopt_dialects::typed::{Layout, array_type};

/// What a call of a function passes, and the declared type of the result: the arguments themselves where
/// the function declares no signatures, or compiles for the types of calls.
pub(super) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: &PyFunction<'c, 'a>,
    inputs: Vec<Val<'c, 'a>>,
) -> Typing<(Vec<Val<'c, 'a>>, Option<Type<'c>>)> {
    let prototypes = function.prototypes();
    if prototypes.is_empty() {
        return Ok((inputs, None));
    }
    let named = function.defaults.len();
    let mut given = inputs.clone();
    for default in function.defaults.iter().skip(given.len()) {
        given.push(rules::constant(e, default.ok_or(Stop::Unknown)?)?);
    }
    let rest = given.split_off(named);
    // Those of `*args` are one tuple.
    for rest in rest {
        given.extend(e.unpack(rest).unwrap_or_default());
    }
    let context = e.context();
    let mut ratings = prototypes
        .iter()
        .map(|one| rate(context, &given, &one.arguments));
    if function.compiles() && !ratings.clone().flatten().any(Rating::is_exact) {
        return Ok((inputs, None));
    }
    let Some(chosen) = best(&mut ratings).first().map(|&at| &prototypes[at]) else {
        return Err(no_match(function, &given, &prototypes));
    };
    let mut passed = Vec::new();
    for (value, &ty) in given.into_iter().zip(&chosen.arguments) {
        passed.push(match is_taken_as_it_is(context, value.ty, ty) {
            true => value,
            false => e.coerce(value, ty)?,
        });
    }
    let rest = passed.split_off(named);
    if !rest.is_empty() {
        passed.push(e.tuple(&rest));
    }
    Ok((passed, chosen.returns))
}

fn rate<'c>(context: &'c Context, given: &[Val<'c, '_>], declared: &[Type<'c>]) -> Option<Rating> {
    if given.len() != declared.len() {
        return None;
    }
    let pairs = given.iter().zip(declared);
    Rating::of(pairs.map(
        |(value, ty)| match is_taken_as_it_is(context, value.ty, *ty) {
            true => Some(Conversion::Exact),
            false => conversion(value.ty, *ty),
        },
    ))
}

/// Whether a function that declares an array with any strides is compiled for one with strides in bytes. In
/// compiled code only a view with strides of the program's own (`as_strided`) has such, nearly always of
/// whole elements.
fn is_taken_as_it_is<'c>(context: &'c Context, given: Type<'c>, declared: Type<'c>) -> bool {
    let bytes = array_type(given).filter(|array| array.layout == Layout::Bytes);
    bytes.is_some_and(|mut array| {
        array.layout = Layout::A;
        array.to_type(context) == declared
    })
}

fn no_match(function: &PyFunction, given: &[Val], prototypes: &[Prototype]) -> Stop {
    let name = function.name();
    let types = display_list(given.iter().map(|value| value.ty));
    let declared = prototypes.iter().map(|one| {
        let arguments = display_list(one.arguments.iter().copied());
        match one.returns {
            Some(returns) => format!("({arguments}) -> {}", display(returns)),
            None => format!("({arguments})"),
        }
    });
    let declared: Vec<_> = declared.collect();
    Stop::issue(format!(
        "no matching definition of {name}() for argument type(s) {types}"
    ))
    .hint(format!(
        "it is declared for {}; pass arguments that convert to these, or declare a signature for them",
        declared.join(", ")
    ))
}
