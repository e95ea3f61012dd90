//! The types of functions that are chosen at run time: a position in a list of functions, which is
//! the class of a `!typed.sequence`. A function that is known by its type alone, as a C function, is a
//! type in the list; its value stands behind the position.

use crate::{
    infra::AttributeExt,
    types::{functions, names},
};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{ArrayAttribute, TypeAttribute},
        r#type::{IntegerType, TupleType},
    },
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// Whether a value is chosen at run time.
pub(crate) fn is_choice(ty: Type) -> bool {
    matches!(TypedType::from(ty), TypedType::Sequence(_, class) if class.elements().is_some())
}

/// Whether a value is a function of compiled code, or one of several.
pub(crate) fn is_callable(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Function(_) => true,
        TypedType::Named(name) => names::is_function(name),
        _ => functions::is_function(ty),
    }
}

/// Whether a value is a class of numbers or texts.
pub(crate) fn is_class(ty: Type) -> bool {
    matches!(TypedType::from(ty), TypedType::Named(name) if names::is_class_of_values(name))
}

/// The functions that a value may be; `None` for what is no function.
pub(crate) fn members<'c>(context: &'c Context, ty: Type<'c>) -> Option<Vec<Attribute<'c>>> {
    match TypedType::from(ty) {
        TypedType::Function(symbol) => {
            Some(vec![PyAttribute::Function(symbol).to_attribute(context)])
        }
        TypedType::Named(name) if names::is_function(name) => {
            Some(vec![PyAttribute::Named(name).to_attribute(context)])
        }
        TypedType::Sequence(..) if functions::signature(ty).is_some() => {
            Some(vec![TypeAttribute::new(ty).into()])
        }
        TypedType::Sequence(_, class) => class.elements(),
        TypedType::CFunction(_) => Some(vec![TypeAttribute::new(ty).into()]),
        _ => None,
    }
}

/// Whether the host has an object for each function that a value may be, as it has none for closures.
pub(crate) fn has_object<'c>(context: &'c Context, ty: Type<'c>) -> bool {
    members(context, ty).is_some()
}

/// The types of the values behind the position.
pub(crate) fn held<'c>(members: &[Attribute<'c>]) -> Vec<Type<'c>> {
    members.iter().filter_map(|one| one.type_value()).collect()
}

/// The type of a choice.
fn type_of<'c>(context: &'c Context, members: &[Attribute<'c>]) -> Type<'c> {
    let position = IntegerType::signed(context, 64).into();
    let items: Vec<_> = [position].into_iter().chain(held(members)).collect();
    let items = TupleType::new(context, &items).into();
    let class = ArrayAttribute::new(context, members).into();
    TypedType::Sequence(items, class).to_type(context)
}

/// The type of a value that is one of two functions.
pub(crate) fn join<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Option<Type<'c>> {
    let mut joined = members(context, a)?;
    joined.extend(members(context, b)?);
    // Their order doesn't depend on that of the paths.
    joined.sort_by_cached_key(ToString::to_string);
    joined.dedup();
    Some(type_of(context, &joined))
}

/// The type of a value that is one function, as one that may be chosen at run time has it; any other type as it is.
pub(crate) fn as_choice<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    match members(context, ty) {
        Some(members) if is_callable(ty) => type_of(context, &members),
        _ => ty,
    }
}

/// The type of all items of a tuple of different functions.
pub(crate) fn common<'c>(context: &'c Context, types: &[Type<'c>]) -> Option<Type<'c>> {
    let mut rest = types.iter().map(|ty| Some(*ty));
    let first = rest.next()?;
    rest.fold(first, |a, b| join(context, a?, b?))
}
