//! What a call of a stencil gives: arguments, and the options of the decorator.

use crate::{
    inference::{
        arguments::Arguments, emit::Emit, issue::Typing, program::kernel::problem, rules, val::Val,
    },
    infra::{AttributeExt, dictionary_entry},
    py::function::PyFunction,
    types::{display::display, number::Number},
};
use melior::ir::{
    Attribute, Identifier, Type,
    attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
};
use pyopt_dialects::{
    py::PyAttribute,
    typed::{ArrayType, TypedType, array_type},
};

/// The kernel's arguments, and the array to write to.
pub(crate) fn bind<'c, 'a>(
    function: &PyFunction<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<(Vec<Val<'c, 'a>>, Option<Val<'c, 'a>>)> {
    let mut out = None;
    for &(name, value) in &arguments.keywords {
        if name != "out" {
            return Err(problem(format!("unexpected keyword argument '{name}'"))
                .hint("the kernel's arguments are passed by position, the result by out="));
        }
        out = Some(value).filter(|value| !value.is_none());
    }
    let (given, taken) = (arguments.positional.len(), function.parameters.len());
    if given != taken || given == 0 {
        return Err(problem(format!(
            "{}() takes {taken} positional arguments but {given} were given",
            function.name()
        )));
    }
    if let Some(out) = out
        && array_type(out.ty).is_none()
    {
        return Err(problem(format!(
            "out must be an array, not {}",
            display(out.ty)
        )));
    }
    Ok((arguments.positional.clone(), out))
}

/// The positions of the parameters that the kernel indexes absolutely.
pub(crate) fn standard_indexing<'c>(
    function: &PyFunction<'c, '_>,
    options: Attribute<'c>,
) -> Vec<i64> {
    let names = dictionary_entry(options, "standard_indexing").and_then(AttributeExt::elements);
    names
        .unwrap_or_default()
        .into_iter()
        .filter_map(AttributeExt::string_value)
        .filter_map(|name| function.parameters.iter().position(|other| *other == name))
        .map(|position| position as i64)
        .collect()
}

/// Which arguments are arrays that the kernel indexes relatively.
pub(crate) fn relative(inputs: &[Val], first: ArrayType, standard: &[i64]) -> Typing<Vec<bool>> {
    if standard.contains(&0) {
        return Err(problem("the first array must be indexed relatively")
            .hint("leave it out of standard_indexing"));
    }
    let mut relative = Vec::new();
    for (position, input) in inputs.iter().enumerate() {
        let array = array_type(input.ty).filter(|_| !standard.contains(&(position as i64)));
        if let Some(array) = array
            && array.rank != first.rank
        {
            return Err(problem(format!(
                "{} doesn't have the {} dimensions of the first array",
                display(input.ty),
                first.rank
            ))
            .hint("name its parameter in standard_indexing to index it absolutely"));
        }
        relative.push(array.is_some());
    }
    Ok(relative)
}

/// The lowest and highest offset of each dimension as the `neighborhood` option gives them.
pub(crate) fn neighborhood(options: Attribute, rank: usize) -> Typing<Option<Vec<i64>>> {
    let Some(pairs) = dictionary_entry(options, "neighborhood").and_then(AttributeExt::elements)
    else {
        return Ok(None);
    };
    if pairs.len() != rank {
        return Err(problem(format!(
            "{} dimensional neighborhood specified for {rank} dimensional input array",
            pairs.len()
        )));
    }
    let bounds: Vec<_> = pairs
        .into_iter()
        .flat_map(|pair| pair.elements().unwrap_or_default())
        .filter_map(AttributeExt::integer_value)
        .collect();
    match bounds.len() == 2 * rank && bounds.chunks(2).all(|pair| pair[0] <= pair[1]) {
        true => Ok(Some(bounds)),
        false => Err(problem(
            "the neighborhood must be a pair of ints (lowest, highest) for each dimension",
        )),
    }
}

/// The value of the border as an attribute.
pub(crate) fn border<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    options: Attribute<'c>,
    element: Type<'c>,
) -> Typing<Option<Attribute<'c>>> {
    let Some(option) = dictionary_entry(options, "cval") else {
        return Ok(None);
    };
    let value = rules::constant(e, option)?;
    if value.is_none() {
        return Ok(None);
    }
    let from = value.number();
    let fits = match (from, Number::of(element)) {
        (Some(Number::Complex(_)), Some(to)) => matches!(to, Number::Complex(_)),
        (Some(Number::Float(_)), Some(to)) if to.is_integral() => {
            return truncated(e, value, to).map(Some);
        }
        (from, _) => from.is_some(),
    };
    match value.literal.filter(|_| fits) {
        Some(literal) => Ok(Some(literal)),
        None => Err(problem(format!(
            "cval type does not match stencil return type: {} and {}",
            display(value.ty),
            display(element)
        ))),
    }
}

/// A float as the integer that it becomes when it is assigned to elements of this type.
fn truncated<'c>(e: &Emit<'_, 'c, '_>, value: Val<'c, '_>, to: Number) -> Typing<Attribute<'c>> {
    let number = value.literal_float().map(f64::trunc);
    let (lowest, end) = match to {
        Number::Int { width, signed } => {
            let bits = width as i32 - i32::from(signed);
            (if signed { -2f64.powi(bits) } else { 0.0 }, 2f64.powi(bits))
        }
        _ => (0.0, 2.0),
    };
    match number.filter(|number| (lowest..end).contains(number)) {
        // The bits are those of the unsigned number.
        Some(number) if number >= 2f64.powi(63) => Ok(integer(e, number as u64 as i64)),
        Some(number) => Ok(integer(e, number as i64)),
        None => Err(problem(format!(
            "the cval is no {}, which the kernel returns",
            display(to.to_type(e.context()))
        ))),
    }
}

fn integer<'c>(e: &Emit<'_, 'c, '_>, number: i64) -> Attribute<'c> {
    IntegerAttribute::new(e.si64(), number).into()
}

/// `stencil(kernel, **options)` in compiled code: the stencil of a function that is known here.
pub(crate) fn construct<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    const OPTIONS: [&str; 4] = ["func_or_mode", "neighborhood", "cval", "standard_indexing"];
    let bound = arguments.bind(OPTIONS, 1)?;
    let kernel = bound[0].map(|kernel| TypedType::from(kernel.ty));
    let Some(TypedType::Function(kernel)) = kernel else {
        return Err(
            problem("the kernel must be a function that uses no variables of another one")
                .hint("pass what it needs to the stencil, behind the array"),
        );
    };
    let context = e.context();
    let mode = StringAttribute::new(context, "constant").into();
    let mut entries = vec![(Identifier::new(context, "mode"), mode)];
    for (name, value) in OPTIONS.into_iter().zip(bound).skip(1) {
        let Some(value) = value.filter(|value| !value.is_none()) else {
            continue;
        };
        let literal = value.literal.ok_or_else(|| {
            problem(format!("the option '{name}' must be a constant"))
                .hint("write its value in the call")
        })?;
        // One name stands for a sequence of one.
        let literal = match name == "standard_indexing" && literal.elements().is_none() {
            true => ArrayAttribute::new(context, &[literal]).into(),
            false => literal,
        };
        entries.push((Identifier::new(context, name), literal));
    }
    let options = DictionaryAttribute::new(context, &entries).into();
    let stencil = PyAttribute::Stencil(kernel, options).to_attribute(context);
    Ok(e.singleton(TypedType::Literal(stencil)))
}
