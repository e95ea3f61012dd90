//! What loops over tuples go over: the items, and what is known of their types.

use super::{bindings::Bindings, fixup_args::argument_type};
use crate::{
    infra::{
        AttributeExt, Builder, OperationExt,
        ops::{marks, py},
    },
    types::{number::Number, sequences::is_list, tuples},
};
use melior::{
    Context,
    ir::{Attribute, Type, Value, attribute::IntegerAttribute, r#type::IntegerType},
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The qualified name of the function whose loops are always unrolled.
pub(super) const LITERAL_UNROLL: &str = "pyopt.literal_unroll";

/// What is known of values: before inference by bindings and types of arguments, in it by types.
pub(crate) trait Known<'c, 'a> {
    /// The constant that a value is.
    fn constant(&self, value: Value<'c, 'a>) -> Option<Attribute<'c>>;
    /// The type of a value.
    fn ty(&self, value: Value<'c, 'a>) -> Option<Type<'c>>;
    /// The qualified name of the host's function that a value is.
    fn name(&self, value: Value<'c, 'a>) -> Option<String>;
}

impl<'c: 'a, 'a> Known<'c, 'a> for Bindings<'c, 'a> {
    fn constant(&self, value: Value<'c, 'a>) -> Option<Attribute<'c>> {
        Bindings::constant(self, value)
    }

    fn ty(&self, value: Value<'c, 'a>) -> Option<Type<'c>> {
        argument_type(value)
    }

    fn name(&self, value: Value<'c, 'a>) -> Option<String> {
        self.name_of(value)
    }
}

/// An item of what a loop goes over.
pub(super) enum Item<'c, 'a> {
    Value(Value<'c, 'a>),
    Constant(Attribute<'c>),
    /// The item of a tuple at a position, its type, and how many items there are.
    Of(Value<'c, 'a>, usize, Type<'c>, usize),
    /// A tuple of items: what `enumerate` and `zip` give.
    Several(Vec<Self>),
}

/// What is known of the type of an item.
#[derive(Debug, PartialEq)]
pub(super) enum Kind<'c> {
    Unknown,
    Type(Type<'c>),
    /// The class of a constant.
    Class(&'static str),
    Several(Vec<Self>),
}

impl Kind<'_> {
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Several(parts) => parts.iter().any(Self::is_unknown),
            Self::Type(_) | Self::Class(_) => false,
        }
    }
}

impl<'c: 'a, 'a> Item<'c, 'a> {
    pub fn kind(&self, known: &dyn Known<'c, 'a>) -> Kind<'c> {
        match self {
            Self::Value(value) => match (known.ty(*value), known.constant(*value)) {
                (Some(ty), _) => kind_of_type(ty),
                (None, Some(constant)) => kind_of(constant),
                (None, None) => Kind::Unknown,
            },
            Self::Constant(constant) => kind_of(*constant),
            Self::Of(_, _, ty, _) => kind_of_type(*ty),
            Self::Several(parts) => {
                Kind::Several(parts.iter().map(|part| part.kind(known)).collect())
            }
        }
    }

    /// The value, made where the builder is.
    pub fn make(&self, context: &'c Context, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        match self {
            Self::Value(value) => *value,
            Self::Constant(constant) => py::Constant::create(builder, *constant).result(),
            Self::Of(tuple, at, _, count) => {
                let at = py::Constant::create(builder, int(context, *at)).result();
                let item = py::GetItem::create(builder, *tuple, at);
                item.set_attr(marks::TURNS, int(context, *count));
                item.result()
            }
            Self::Several(parts) => {
                let parts: Vec<_> = parts
                    .iter()
                    .map(|part| part.make(context, builder))
                    .collect();
                py::BuildTuple::create(builder, &parts).result()
            }
        }
    }
}

fn int<'c>(context: &'c Context, value: usize) -> Attribute<'c> {
    let ty = IntegerType::new(context, 64).into();
    IntegerAttribute::new(ty, value as i64).into()
}

/// A type as that of a constant, if constants have it.
fn kind_of_type(ty: Type<'_>) -> Kind<'_> {
    let known = match Number::of(ty) {
        Some(Number::Bool) => Some("bool"),
        Some(Number::INT64) => Some("int"),
        Some(Number::FLOAT64) => Some("float"),
        Some(Number::Complex(64)) => Some("complex"),
        Some(_) => None,
        None => match TypedType::from(ty) {
            TypedType::None => Some("None"),
            TypedType::Str => Some("str"),
            TypedType::Bytes => Some("bytes"),
            _ => None,
        },
    };
    known.map_or(Kind::Type(ty), Kind::Class)
}

/// What is known of a constant's type.
fn kind_of<'c>(constant: Attribute<'c>) -> Kind<'c> {
    match PyAttribute::from(constant) {
        PyAttribute::None => Kind::Class("None"),
        PyAttribute::Bytes(_) => Kind::Class("bytes"),
        PyAttribute::Complex(..) => Kind::Class("complex"),
        PyAttribute::Other(other) if other.bool_value().is_some() => Kind::Class("bool"),
        PyAttribute::Other(other) if other.string_value().is_some() => Kind::Class("str"),
        PyAttribute::Other(other) if other.float_value().is_some() => Kind::Class("float"),
        PyAttribute::Other(other) if other.integer_value().is_some() => Kind::Class("int"),
        PyAttribute::Other(other) if let Some(items) = other.elements() => {
            Kind::Several(items.into_iter().map(kind_of).collect())
        }
        _ => Kind::Unknown,
    }
}

/// The items that a loop goes over, if these are those of tuples.
pub(super) fn items<'c: 'a, 'a>(
    context: &'c Context,
    known: &dyn Known<'c, 'a>,
    iterable: Value<'c, 'a>,
) -> Option<Vec<Item<'c, 'a>>> {
    if let Some(tuple) = py::BuildTuple::defining(iterable) {
        return Some(tuple.elements().into_iter().map(Item::Value).collect());
    }
    if let Some(constant) = known.constant(iterable) {
        let elements = match PyAttribute::from(constant) {
            PyAttribute::Other(other) => other.elements()?,
            _ => return None,
        };
        return Some(elements.into_iter().map(Item::Constant).collect());
    }
    if let Some(ty) = known.ty(iterable).filter(|ty| !is_list(*ty)) {
        let types = tuples::elements(ty)?;
        let count = types.len();
        let items = types.into_iter().enumerate();
        return Some(
            items
                .map(|(at, ty)| Item::Of(iterable, at, ty, count))
                .collect(),
        );
    }
    let call = py::Call::defining(iterable).filter(|call| call.keywords().is_none())?;
    match known.name(call.callee())?.as_str() {
        "builtins.enumerate" => {
            let &[inner] = call.args().as_slice() else {
                return None;
            };
            let numbered = items(context, known, inner)?.into_iter().enumerate();
            let number = |at| Item::Constant(int(context, at));
            Some(
                numbered
                    .map(|(at, item)| Item::Several(vec![number(at), item]))
                    .collect(),
            )
        }
        // Only inference has types where this is left.
        LITERAL_UNROLL => match call.args().as_slice() {
            [inner] => items(context, known, *inner),
            _ => None,
        },
        "builtins.range" => {
            let inner = counted(known, call)?;
            let count = items(context, known, inner)?.len();
            Some(
                (0..count)
                    .map(|at| Item::Constant(int(context, at)))
                    .collect(),
            )
        }
        "builtins.zip" => {
            let inner = call
                .args()
                .into_iter()
                .map(|inner| items(context, known, inner));
            let mut inner: Vec<_> = inner
                .map(|items| items.map(Vec::into_iter))
                .collect::<Option<_>>()?;
            let mut found = Vec::new();
            while let Some(parts) = inner
                .iter_mut()
                .map(Iterator::next)
                .collect::<Option<Vec<_>>>()
            {
                if parts.is_empty() {
                    return None;
                }
                found.push(Item::Several(parts));
            }
            Some(found)
        }
        _ => None,
    }
}

/// What `range(len(literal_unroll(…)))` counts the items of.
fn counted<'c: 'a, 'a>(
    known: &dyn Known<'c, 'a>,
    range: py::Call<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let argument = |call: py::Call<'c, 'a>| match call.args().as_slice() {
        [argument] => Some(*argument),
        _ => None,
    };
    let len = py::Call::defining(argument(range)?)?;
    let unrolled = py::Call::defining(argument(len)?)?;
    let name = |call: py::Call<'c, 'a>| known.name(call.callee());
    (name(len)? == "builtins.len" && name(unrolled)? == LITERAL_UNROLL)
        .then(|| argument(unrolled))?
}
