//! Universal functions of the program's own: scalar functions that are applied element by element.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::elements,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    types::{display::display, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::typed::array_type;

/// A loop that a function was made with: the types of its operands and of its result.
struct Loop<'c> {
    inputs: Vec<Type<'c>>,
    result: Type<'c>,
}

/// `elementwise(function, loops, operands…)`: without loops the function is compiled for the types
/// of the elements.
pub(super) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [function, loops, operands @ ..] = arguments.positional.as_slice() else {
        return Err(arguments.wrong_count("a function, its loops and operands"));
    };
    let text = loops
        .literal_str()
        .ok_or_else(|| arguments.no_implementation())?;
    let chosen = match text {
        "" => None,
        text => Some(choose(e, text, operands)?),
    };
    elements::elementwise(e, operands, |e, elements| {
        let Some(chosen) = &chosen else {
            return rules::call(e, *function, Arguments::new(elements, None));
        };
        let converted: Vec<_> = elements
            .iter()
            .zip(&chosen.inputs)
            .map(|(element, ty)| e.cast(*element, *ty))
            .collect();
        let result = rules::call(e, *function, Arguments::new(&converted, None))?;
        e.coerce(result, chosen.result)
    })
}

/// The first loop whose types the operands can be cast to safely, as NumPy chooses.
fn choose<'c, 'a>(e: &Emit<'_, 'c, 'a>, loops: &str, operands: &[Val<'c, 'a>]) -> Typing<Loop<'c>> {
    let read = |text: &str| Type::parse(e.context(), text);
    let loops: Option<Vec<Loop>> = loops
        .split(';')
        .map(|one| {
            let (inputs, result) = one.split_once("->")?;
            Some(Loop {
                inputs: inputs.split(',').map(read).collect::<Option<_>>()?,
                result: read(result)?,
            })
        })
        .collect();
    let loops = loops.ok_or_else(|| Stop::issue("the types of the loops can't be read"))?;
    let mixed = operands
        .iter()
        .any(|operand| array_type(operand.ty).is_some());
    let fits = |one: &&Loop| {
        one.inputs.len() == operands.len()
            && one
                .inputs
                .iter()
                .zip(operands)
                .all(|(ty, operand)| can_cast(*operand, *ty, mixed))
    };
    if let Some(chosen) = loops.iter().find(fits) {
        return Ok(Loop {
            inputs: chosen.inputs.clone(),
            result: chosen.result,
        });
    }
    let list = |types: &[Type]| {
        let types: Vec<_> = types.iter().map(|ty| display(*ty)).collect();
        format!("({})", types.join(", "))
    };
    let given: Vec<_> = operands.iter().map(|operand| operand.ty).collect();
    let known: Vec<_> = loops.iter().map(|one| list(&one.inputs)).collect();
    Err(Stop::issue(format!(
        "the universal function has no loop for {}",
        list(&given)
    ))
    .hint(format!(
        "it was made for {}; nothing is cast to a type that can't hold it",
        known.join(" and ")
    )))
}

/// Whether a value or the elements of an array are cast safely. Among arrays a number gives way to
/// any type of its kind, or of one that holds more.
fn can_cast(operand: Val, to: Type, mixed: bool) -> bool {
    let array = array_type(operand.ty);
    let from = array.map_or(operand.ty, |array| array.element);
    let (Some(from), Some(to)) = (Number::of(from), Number::of(to)) else {
        return from == to;
    };
    let kind = |number| match number {
        Number::Bool => 0,
        Number::Int { .. } => 1,
        Number::Float(_) => 2,
        Number::Complex(_) => 3,
    };
    from.promote(to) == to || mixed && array.is_none() && kind(from) <= kind(to)
}
