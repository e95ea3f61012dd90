//! The conversion of the `typed` dialect's types.

use crate::{
    infra::{Converted, OperationExt, TypeConverter, ValueExt},
    types::layout::tuple_elements,
};
use melior::{
    Context,
    dialect::llvm,
    ir::{
        Attribute, OperationRef, Type, TypeLike, Value,
        r#type::{IntegerType, MemRefType, ShapedTypeLike},
    },
};
use mlir_sys::{
    mlirShapedTypeGetDynamicSize, mlirShapedTypeGetDynamicStrideOrOffset, mlirStridedLayoutAttrGet,
};
use pyopt_dialects::{
    times::Time,
    typed::{ArrayType, Layout, TypedType},
};

/// Converts typed values to signless ones, one to any number:
///
/// | typed | becomes |
/// |---|---|
/// | integers | signless integers |
/// | datetime64, timedelta64 | `i64` |
/// | array in layout C | `memref<?x…>` and the pointer to its owner |
/// | array in layout F, A | `memref<?x…, strided<[?, …]>>` and the pointer to its owner |
/// | array in layout bytes | data pointer, `i64` sizes and strides, and the pointer to its owner |
/// | range | start, stop, step |
/// | str | pointer to the code units, length, bytes a code unit, and the pointer to their owner |
/// | list | pointer to its owner, behind which it lies |
/// | exception | the id of the site that made it and the pointer to the owner of its arguments |
/// | generator | the pointer to the owner of its state |
/// | pointer, C function | the address |
/// | tuple, slice | the parts' values |
/// | unbound | the value, and an `i1` that says whether there is one |
/// | optional | the value, and an `i1` that says whether it is not None |
/// | none, literal, named, … | nothing |
pub(super) fn converter<'c>(context: &'c Context) -> TypeConverter<'c> {
    let mut types = TypeConverter::strict();
    types.add(move |r#type| convert(context, r#type).map_or(Converted::Never, Converted::To));
    types
}

/// The converted types of a type; `None` when it has no run-time form.
pub(in crate::lowering) fn convert<'c>(
    context: &'c Context,
    r#type: Type<'c>,
) -> Option<Vec<Type<'c>>> {
    let pointer = || llvm::r#type::pointer(context, 0);
    let i = |width| -> Type<'c> { IntegerType::new(context, width).into() };

    Some(match TypedType::from(r#type) {
        TypedType::None
        | TypedType::Literal(_)
        | TypedType::DType(_)
        | TypedType::Named(_)
        | TypedType::Function(_) => vec![],
        TypedType::Method(receiver, _) => convert(context, receiver)?,
        TypedType::Array(array) => match memref(context, array) {
            Some(memref) => vec![memref, pointer()],
            None => [pointer()]
                .into_iter()
                .chain(vec![i(64); 2 * array.rank])
                .chain([pointer()])
                .collect(),
        },
        TypedType::Exception => vec![i(32), pointer()],
        TypedType::Generator(..)
        | TypedType::List(_)
        | TypedType::Dict(_)
        | TypedType::Set(_)
        | TypedType::DictView(..)
        | TypedType::Pointer(_)
        | TypedType::CFunction(_) => vec![pointer()],
        TypedType::Range(element) => vec![convert(context, element)?[0]; 3],
        TypedType::Str | TypedType::Bytes => vec![pointer(), i(64), i(32), pointer()],
        TypedType::Slice(parts) => concat(context, parts)?,
        TypedType::Sequence(items, _) => convert(context, items)?,
        TypedType::Unbound(inner) | TypedType::Optional(inner) => {
            let mut types = convert(context, inner)?;
            types.push(i(1));
            types
        }
        TypedType::Iter(_)
        | TypedType::Zip(_)
        | TypedType::Enumerate(_)
        | TypedType::Reversed(_)
        | TypedType::Flat(_)
        | TypedType::Indices(_) => return None,
        TypedType::Other(_) => {
            if let Some(elements) = tuple_elements(r#type) {
                concat(context, elements)?
            } else if Time::of(r#type).is_some() {
                vec![i(64)]
            } else if let Ok(integer) = IntegerType::try_from(r#type) {
                vec![i(integer.width())]
            } else {
                vec![r#type]
            }
        }
    })
}

/// Whether a cast between typed values and what they are converted to does nothing once all of them are converted.
pub(super) fn cancels_out<'c>(context: &'c Context, cast: OperationRef<'c, '_>) -> bool {
    let converted = |values: Vec<Value<'c, '_>>| {
        let types = values.iter().map(|value| convert(context, value.ty()));
        types
            .collect::<Option<Vec<_>>>()
            .map(|types| types.concat())
    };
    converted(cast.operand_values())
        .is_some_and(|before| Some(before) == converted(cast.result_values()))
}

fn concat<'c>(
    context: &'c Context,
    types: impl IntoIterator<Item = Type<'c>>,
) -> Option<Vec<Type<'c>>> {
    let mut all = Vec::new();
    for r#type in types {
        all.extend(convert(context, r#type)?);
    }
    Some(all)
}

/// The memref an array becomes; `None` for layout `bytes`.
pub(super) fn memref<'c>(context: &'c Context, array: ArrayType<'c>) -> Option<Type<'c>> {
    let element = memory_element(context, array.element);
    let strides = match array.layout {
        Layout::C => None,
        Layout::F | Layout::A => Some(strided(context, array.rank)),
        Layout::Bytes => return None,
    };
    // SAFETY: the number is a constant.
    let shape = vec![unsafe { mlirShapedTypeGetDynamicSize() }; array.rank];
    // Without dimensions there are no strides.
    let strides = strides.filter(|_| array.rank > 0);
    Some(MemRefType::new(element, &shape, strides, None).into())
}

/// Any strides.
fn strided(context: &Context, rank: usize) -> Attribute<'_> {
    // SAFETY: the context outlives the attribute, by its lifetime; the strides are as many as said.
    unsafe {
        let strides = vec![mlirShapedTypeGetDynamicStrideOrOffset(); rank];
        let count = strides.len() as isize;
        let layout = mlirStridedLayoutAttrGet(context.to_raw(), 0, count, strides.as_ptr());
        Attribute::from_raw(layout)
    }
}

/// The type of an element in memory: signless, and a byte for a bool.
pub(super) fn memory_element<'c>(context: &'c Context, element: Type<'c>) -> Type<'c> {
    match IntegerType::try_from(element) {
        Ok(integer) => IntegerType::new(context, integer.width().max(8)).into(),
        Err(_) if Time::of(element).is_some() => IntegerType::new(context, 64).into(),
        Err(_) => element,
    }
}

/// Whether a type is one of Python's and NumPy's floats.
pub(super) fn is_float(r#type: Type) -> bool {
    // SAFETY: any type may be asked for its kind.
    unsafe {
        let raw = r#type.to_raw();
        mlir_sys::mlirTypeIsAF64(raw)
            || mlir_sys::mlirTypeIsAF32(raw)
            || mlir_sys::mlirTypeIsAF16(raw)
    }
}

/// The struct that is a memref's descriptor in LLVM: allocated and aligned pointer, offset, sizes,
/// strides.
pub(super) fn descriptor<'c>(context: &'c Context, rank: usize) -> Type<'c> {
    let pointer = llvm::r#type::pointer(context, 0);
    let i64 = IntegerType::new(context, 64).into();
    let mut fields = vec![pointer, pointer, i64];
    if rank > 0 {
        let numbers = llvm::r#type::array(i64, rank as u32);
        fields.extend([numbers, numbers]);
    }
    llvm::r#type::r#struct(context, &fields, false)
}

/// How an integer is extended: by zeros when it is unsigned or a bool.
pub(super) fn is_unsigned(r#type: Type) -> bool {
    IntegerType::try_from(r#type).is_ok_and(|integer| integer.is_unsigned() || integer.width() == 1)
}

/// The number of dimensions of a memref; `None` for other types.
pub(super) fn memref_rank(r#type: Type) -> Option<usize> {
    MemRefType::try_from(r#type)
        .ok()
        .map(|memref| memref.rank())
}
