//! Element accesses of arrays whose strides aren't known.

use super::{
    emit::Emit,
    externals::Externals,
    operations::{load_at, store_at},
    types::{complex_part, descriptor},
};
use crate::infra::{Builder, OperationExt, PassContext, PassResult, PassSpec, ValueExt};
use melior::{
    dialect::llvm,
    ir::{
        OperationRef, Type, TypeLike, Value,
        r#type::{MemRefType, ShapedTypeLike},
    },
};

/// Accesses through strides to address computations.
pub static PASS: PassSpec = PassSpec {
    description: "Upstream takes strides as positive: its lowering of an access multiplies \
                  without wrap and computes an address within bounds, which is undefined for a \
                  reversed view. Loads and stores of memrefs with strides become `llvm` ones at \
                  an address computed without such promises; those of contiguous memrefs stay.",
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
        let (stored, first) = match access.full_name() {
            "memref.load" => (None, 0),
            "memref.store" => (Some(access.operand_value(0)), 1),
            _ => continue,
        };
        let memref = access.operand_value(first);
        let Some(element) = strided_element(memref.ty()) else {
            continue;
        };
        builder.before(access);
        let indices = &access.operand_values()[first + 1..];
        let address = address(&e, memref, indices, element);
        match stored {
            Some(value) => {
                store_at(&e, value, address, None);
                builder.erase_op(access);
            }
            None => {
                let value = load_at(&e, address, element, None);
                builder.replace_op(access, &[value]);
            }
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

fn address<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    memref: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
    element: Type<'c>,
) -> Value<'c, 'a> {
    let whole = e.reinterpret(memref, descriptor(e.context(), indices.len()));
    let distance = indices.iter().enumerate().map(|(dimension, index)| {
        let stride = e.extract(whole, &[4, dimension as i64], e.i(64));
        e.bin("arith.muli", e.index_cast(*index, e.i(64)), stride)
    });
    let distance = distance.reduce(|sum, part| e.bin("arith.addi", sum, part));
    // Views move the pointer, so that the offset is always 0.
    let data = e.extract(whole, &[1], e.ptr());
    let unit = match complex_part(element) {
        Some(part) => llvm::r#type::r#struct(e.context(), &[part, part], false),
        None => element,
    };
    distance.map_or(data, |distance| e.offset(data, distance, unit))
}
