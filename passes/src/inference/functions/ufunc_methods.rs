//! Methods and attributes of universal functions, NumPy's and the program's own.
//!
//! The methods are the library's, which take the function and what its reductions begin with. Of the
//! program's own functions the host says what they are: it binds `<symbol>.nin`, `.identity` and so on.

use super::{numpy, registry::is_known};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    types::{lists, names::last_part},
};
use melior::{
    Context,
    ir::{
        Attribute,
        attribute::{ArrayAttribute, BoolAttribute, FloatAttribute, IntegerAttribute},
        r#type::IntegerType,
    },
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};
use pyopt_library as library;

/// The methods that the library has.
const METHODS: &[&str] = &["accumulate", "at", "outer", "reduce", "reduceat"];

/// Where the host says what reductions of a function begin with.
const IDENTITY: &str = "__identity__";

/// Functions of two operands besides the table's; those of the library.
const OTHERS: &[&str] = &[
    "numpy.float_power",
    "numpy.gcd",
    "numpy.heaviside",
    "numpy.lcm",
    "numpy.ldexp",
    "numpy.logaddexp",
    "numpy.logaddexp2",
];

/// What a function of NumPy's begins a reduction with.
enum Identity {
    Int(i64),
    Bool(bool),
    Float(f64),
    /// The first element, whichever that is.
    Any,
    /// The first element.
    First,
}

/// A method or attribute of a universal function; `None` where a value isn't one, or has no such
/// attribute.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    name: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    match TypedType::from(object.ty) {
        TypedType::Function(symbol) => {
            if let Some(value) = e.program.binding(&format!("{symbol}.{name}")) {
                return rules::constant(e, value).map(Some);
            }
            let is_ufunc = e.program.binding(&format!("{symbol}.{IDENTITY}")).is_some();
            Ok((is_ufunc && METHODS.contains(&name)).then(|| e.method(object, name)))
        }
        // The library has some methods of NumPy's functions under their own names.
        TypedType::Named(function) if !is_known(&format!("{function}.{name}")) => {
            let operands = operands(function);
            let is_method = match operands {
                Some(1) => name == "at",
                Some(_) => METHODS.contains(&name),
                None => false,
            };
            let count = |e: &mut Emit<'_, 'c, 'a>, count| Ok(Some(e.int(count)));
            match (operands, name) {
                (Some(operands), "nin") => count(e, operands),
                (Some(_), "nout") => count(e, 1),
                (Some(operands), "nargs") => count(e, operands + 1),
                _ => Ok(is_method.then(|| e.method(object, name))),
            }
        }
        _ => Ok(None),
    }
}

/// Calls a method of a universal function.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let identity = match TypedType::from(function.ty) {
        TypedType::Function(symbol) => {
            let operands = e.program.binding(&format!("{symbol}.nin"));
            let operands = operands.and_then(crate::infra::AttributeExt::integer_value);
            if name != "at" && operands != Some(2) {
                return Err(Stop::issue(format!(
                    "{name} only supported for binary functions"
                )));
            }
            e.program.binding(&format!("{symbol}.{IDENTITY}"))
        }
        TypedType::Named(function) => Some(identity(function).to_attribute(e.context())),
        _ => None,
    };
    let method = library::find(&format!("ufunc.{name}"));
    let (Some(identity), Some(method)) = (identity, method) else {
        return Err(arguments.no_implementation());
    };
    let mut arguments = arguments.clone();
    if name == "at"
        && let Some(indices) = arguments.positional.get_mut(1)
        && lists::is_any_list(indices.ty)
    {
        // A tuple has a position for each dimension, a list has positions in the first one.
        *indices = rules::call_named(e, "numpy.array", &Arguments::new(&[*indices], None))?;
    }
    // Their results are truth values whatever the operands are, which are made such first.
    let is_logical = |name| last_part(name).starts_with("logical_");
    let is_along = matches!(name, "reduce" | "accumulate" | "reduceat");
    if let TypedType::Named(function) = TypedType::from(function.ty)
        && is_along
        && is_logical(function)
    {
        let before = 2 + usize::from(name == "reduceat");
        let given = arguments.keywords.iter().any(|(name, _)| *name == "dtype");
        if !given && arguments.positional.len() <= before {
            let truth = e.singleton(TypedType::DType(e.i1()));
            arguments.keywords.push(("dtype", truth));
        }
    }
    let identity = rules::constant(e, identity)?;
    arguments.positional.splice(0..0, [function, identity]);
    rules::call_library(e, method, &arguments)
}

/// How many operands a universal function of NumPy's has.
fn operands(name: &str) -> Option<i64> {
    let is_in = |table: super::table::Table| table.iter().any(|(known, _)| *known == name);
    match (is_in(numpy::UNARY), is_in(numpy::BINARY)) {
        (true, _) => Some(1),
        (_, true) => Some(2),
        _ => OTHERS.contains(&name).then_some(2),
    }
}

fn identity(name: &str) -> Identity {
    match last_part(name) {
        "add" | "bitwise_or" | "bitwise_xor" | "gcd" | "hypot" => Identity::Int(0),
        "multiply" => Identity::Int(1),
        "bitwise_and" => Identity::Int(-1),
        "logical_and" => Identity::Bool(true),
        "logical_or" | "logical_xor" => Identity::Bool(false),
        "logaddexp" | "logaddexp2" => Identity::Float(f64::NEG_INFINITY),
        "maximum" | "minimum" | "fmax" | "fmin" => Identity::Any,
        _ => Identity::First,
    }
}

impl Identity {
    /// As the library takes it, and as the host binds it.
    fn to_attribute<'c>(&self, context: &'c Context) -> Attribute<'c> {
        match self {
            Self::Int(value) => {
                IntegerAttribute::new(IntegerType::signed(context, 64).into(), *value).into()
            }
            Self::Bool(value) => BoolAttribute::new(context, *value).into(),
            Self::Float(value) => {
                FloatAttribute::new(context, melior::ir::Type::float64(context), *value).into()
            }
            Self::Any => ArrayAttribute::new(context, &[]).into(),
            Self::First => PyAttribute::None.to_attribute(context),
        }
    }
}
