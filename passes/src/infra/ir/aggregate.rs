//! The parts of structs and arrays of LLVM's dialect.

use crate::infra::ffi::pyoptLLVMArraySize;
use melior::ir::{Type, TypeLike};
use mlir_sys::{
    mlirLLVMArrayTypeGetElementType, mlirLLVMStructTypeGetElementType,
    mlirLLVMStructTypeGetNumElementTypes, mlirTypeIsALLVMStructType,
};

/// The types of the fields of a struct; `None` for other types.
pub fn struct_fields(r#type: Type) -> Option<Vec<Type>> {
    let raw = r#type.to_raw();
    // SAFETY: each accessor is called on a struct, within its bounds.
    unsafe {
        mlirTypeIsALLVMStructType(raw).then(|| {
            let count = mlirLLVMStructTypeGetNumElementTypes(raw);
            let element = |at| Type::from_raw(mlirLLVMStructTypeGetElementType(raw, at));
            (0..count).map(element).collect()
        })
    }
}

/// The type of the elements of an array, and how many it has; `None` for other types.
pub fn array_elements(r#type: Type) -> Option<(Type, usize)> {
    let raw = r#type.to_raw();
    // SAFETY: any type may be asked, and only an array is asked for the type of its elements.
    unsafe {
        let count = usize::try_from(pyoptLLVMArraySize(raw)).ok()?;
        Some((Type::from_raw(mlirLLVMArrayTypeGetElementType(raw)), count))
    }
}
