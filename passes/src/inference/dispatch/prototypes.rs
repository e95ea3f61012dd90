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
        conversion::{Rating, best, conversion},
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
        let is_taken = in_elements(context, value.ty).is_some_and(|strided| strided == ty);
        passed.push(match is_taken {
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
    Rating::of(pairs.map(|(value, ty)| {
        let given = in_elements(context, value.ty).filter(|strided| strided == ty);
        conversion(given.unwrap_or(value.ty), *ty)
    }))
}

/// The type of an array with strides in bytes if its strides were in elements. Only a view with strides of
/// the program's own (`as_strided`) has other ones in compiled code, nearly always of whole elements: a
/// function that declares arrays with any strides is compiled for such a view, too.
fn in_elements<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let mut array = array_type(ty).filter(|array| array.layout == Layout::Bytes)?;
    array.layout = Layout::A;
    Some(array.to_type(context))
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
