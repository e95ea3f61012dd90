//! Addresses that C code knows: pointers and C functions.

use crate::types::{layout::parts_of, number::Number};
use melior::{
    Context,
    ir::{Type, r#type::FunctionType},
};
use pyopt_dialects::typed::TypedType;

/// The type of what a pointer points to.
pub(crate) fn pointee<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    match TypedType::from(ty) {
        TypedType::Pointer(pointee) => Some(pointee),
        _ => None,
    }
}

/// The types of the parameters of a C function, and of its result if it has one.
pub(crate) fn signature<'c>(ty: Type<'c>) -> Option<(Vec<Type<'c>>, Option<Type<'c>>)> {
    let TypedType::CFunction(signature) = TypedType::from(ty) else {
        return None;
    };
    let signature = FunctionType::try_from(signature).ok()?;
    let inputs = (0..signature.input_count()).filter_map(|at| signature.input(at).ok());
    Some((inputs.collect(), signature.result(0).ok()))
}

/// Whether a type is that of an address.
pub(crate) fn is_address(ty: Type) -> bool {
    matches!(
        TypedType::from(ty),
        TypedType::Pointer(_) | TypedType::CFunction(_)
    )
}

/// Whether there is an address in values of a type.
pub(crate) fn has_address(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Optional(inner) | TypedType::Unbound(inner) => has_address(inner),
        _ if is_address(ty) => true,
        _ => parts_of(ty).is_some_and(|parts| parts.into_iter().any(has_address)),
    }
}

/// Whether a pointer points to memory of which nothing else is known: C's `void *`.
pub(crate) fn is_void_pointer(ty: Type) -> bool {
    pointee(ty).is_some_and(|pointee| TypedType::from(pointee) == TypedType::None)
}

/// The type of pointers to a type.
pub(crate) fn pointer_to<'c>(context: &'c Context, pointee: Type<'c>) -> Type<'c> {
    TypedType::Pointer(pointee).to_type(context)
}

/// Whether C functions take and return values of a type.
pub(crate) fn is_passed_to_c(ty: Type) -> bool {
    match Number::of(ty) {
        Some(Number::Bool | Number::Int { .. } | Number::Float(32 | 64)) => true,
        // Other processors pass complex numbers in other registers.
        Some(Number::Complex(32 | 64)) => cfg!(target_arch = "x86_64"),
        Some(_) => false,
        None => is_address(ty),
    }
}
