//! Lowers element accesses of arrays to address computations that allow any stride, negative ones
//! included.

use super::{
    emit::Emit,
    externals::Externals,
    operations::{load_at, scopes, store_at},
    types::descriptor,
};
use crate::{
    infra::{
        Builder, OperationExt, PassContext, PassResult, PassSpec, ValueExt,
        ops::{arith, memref},
    },
    types::layout::complex_part,
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        OperationRef, Type, TypeLike, Value,
        r#type::{MemRefType, ShapedTypeLike},
    },
};
use pyopt_dialects::enums::IntegerOverflowFlags;

/// Accesses through strides to address computations.
pub static PASS: PassSpec = PassSpec {
    description: "Upstream takes strides as positive: its lowering of an access multiplies \
                  without wrap and computes an address within bounds, which is undefined for a \
                  reversed view. Loads and stores of memrefs with strides become `llvm` ones at \
                  an address computed without such promises. Those of contiguous memrefs do so \
                  with them; they keep their alias scopes, which upstream would drop, and have an \
                  address for each dimension, from row to element.",
    dialects: &["arith", "builtin", "complex", "llvm"],
    ..PassSpec::new(
        "lower-strided-access",
        "compute the addresses of strided elements without overflow flags",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let externals = Externals::default();
    let e = Emit::new(&builder, &externals);

    for access in module.pre_order() {
        let (stored, memref, indices) = match memref::Op::of(access) {
            Some(memref::Op::Load(load)) => (None, load.memref(), load.indices()),
            Some(memref::Op::Store(store)) => {
                (Some(store.value()), store.memref(), store.indices())
            }
            _ => continue,
        };
        let scopes = scopes(access);
        builder.before(access);
        let (element, address) = if let Some(element) = strided_element(memref.ty()) {
            (element, address(&e, memref, &indices, element))
        } else if let Some(element) = plain_element(memref.ty()) {
            (element, contiguous_address(&e, memref, &indices, element))
        } else {
            continue;
        };
        let lowered = match stored {
            Some(value) => {
                store_at(&e, value, address, None);
                address.users().pop()
            }
            None => {
                let value = load_at(&e, address, element, None);
                builder.replace_op(access, &[value]);
                value.defining_op()
            }
        };
        // Complex elements are two accesses.
        if let Some(lowered) = lowered.filter(|_| complex_part(element).is_none()) {
            for (name, list) in scopes {
                lowered.set_attr(name, list);
            }
        }
        if stored.is_some() {
            builder.erase_op(access);
        }
    }
    Ok(())
}

/// The element type of a memref with strides; `None` for a contiguous one.
fn strided_element<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    let memref = MemRefType::try_from(r#type).ok()?;
    // SAFETY: the type is a memref.
    let identity = unsafe {
        mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(r#type.to_raw()))
    };
    (!identity).then(|| memref.element())
}

/// The element type of a contiguous memref, if an element is one value to LLVM.
fn plain_element<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    let element = MemRefType::try_from(r#type).ok()?.element();
    complex_part(element).is_none().then_some(element)
}

/// For contiguous arrays: strides are positive, the last one is one, and indices are within bounds,
/// so the address computation may be `inbounds nuw`. As in C the address of the row is computed
/// first: it is hoisted out of loops over columns, and LLVM recognises the element at `j - 1` as
/// the one that the previous iteration loaded at `j`.
fn contiguous_address<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    memref: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
    element: Type<'c>,
) -> Value<'c, 'a> {
    let whole = e.reinterpret(memref, descriptor(e.context(), indices.len()));
    let data = e.extract(whole, &[1], e.ptr());
    let exact = |x, y| {
        let product = arith::MulI::create(e, x, y);
        product.set_overflow_flags(IntegerOverflowFlags::NSW | IntegerOverflowFlags::NUW);
        product.result()
    };
    let mut address = data;
    for (dimension, index) in indices.iter().enumerate() {
        let mut distance = e.index_cast(*index, e.i(64));
        if dimension + 1 < indices.len() {
            let stride = e.extract(whole, &[4, dimension as i64], e.i(64));
            distance = exact(distance, stride);
        }
        address = e.offset_within(address, distance, element);
    }
    address
}

fn address<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    memref: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
    element: Type<'c>,
) -> Value<'c, 'a> {
    let whole = e.reinterpret(memref, descriptor(e.context(), indices.len()));
    let distance = indices.iter().enumerate().map(|(dimension, index)| {
        let stride = e.extract(whole, &[4, dimension as i64], e.i(64));
        e.bin(arith::MulI::NAME, e.index_cast(*index, e.i(64)), stride)
    });
    let distance = distance.reduce(|sum, part| e.bin(arith::AddI::NAME, sum, part));
    // Views move the pointer, so that the offset is always 0.
    let data = e.extract(whole, &[1], e.ptr());
    let unit = match complex_part(element) {
        Some(part) => llvm_type::r#struct(e.context(), &[part, part], false),
        None => element,
    };
    distance.map_or(data, |distance| e.offset(data, distance, unit))
}
