//! What a function is in LLVM's debug information: the metadata of its location.

use crate::infra::{OperationExt, is_subprogram};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Location, OperationRef, attribute::StringAttribute,
        operation::OperationLike,
    },
};
use mlir_sys::{
    mlirAttributeGetNull, mlirDisctinctAttrCreate, mlirLLVMDISubprogramAttrGet,
    mlirLLVMDISubprogramAttrGetCompileUnit, mlirLLVMDISubprogramAttrGetFile,
    mlirLLVMDISubprogramAttrGetLine, mlirLLVMDISubprogramAttrGetScope,
    mlirLLVMDISubprogramAttrGetScopeLine, mlirLLVMDISubprogramAttrGetType, mlirLocationFusedGet,
    mlirLocationFusedGetMetadata, mlirLocationIsAFused,
};
use std::ptr;

/// LLVM's flags of a definition of optimised code.
const DEFINITION_OPTIMIZED: u64 = 8 | 16;

/// The description of a function, which `ensure-debug-info-scope-on-llvm-func` makes.
#[derive(Clone, Copy)]
pub(super) struct Subprogram<'c>(Attribute<'c>);

impl<'c> Subprogram<'c> {
    /// What a function is described as, if it is.
    pub fn of(function: OperationRef<'c, '_>) -> Option<Self> {
        let location = function.location().to_raw();
        // SAFETY: the location is valid; a fused one may be asked for metadata, which it may lack.
        let metadata = unsafe {
            mlirLocationIsAFused(location)
                .then(|| Attribute::from_option_raw(mlirLocationFusedGetMetadata(location)))
        };
        let scope = metadata.flatten()?;
        is_subprogram(scope).then_some(Self(scope))
    }

    /// The attribute.
    pub const fn attribute(self) -> Attribute<'c> {
        self.0
    }

    /// The file that it is in.
    pub fn file(self) -> Attribute<'c> {
        // SAFETY: the attribute is a subprogram; one that is defined has a file.
        unsafe { Attribute::from_raw(mlirLLVMDISubprogramAttrGetFile(self.0.to_raw())) }
    }

    /// Describes a function as one of this name, without its symbol, which debuggers prefer.
    pub fn rename(self, context: &'c Context, function: OperationRef<'c, '_>, name: &str) {
        let text = |text: &str| -> Attribute<'c> { StringAttribute::new(context, text).into() };
        let (raw, name, symbol) = (self.0.to_raw(), text(name), text(""));
        // SAFETY: the attribute is a subprogram, whose parts go on to another one with an identity
        // of its own; the lists are empty; the location is the function's.
        let location = unsafe {
            let renamed = mlirLLVMDISubprogramAttrGet(
                context.to_raw(),
                mlirAttributeGetNull(),
                false,
                mlirDisctinctAttrCreate(Attribute::unit(context).to_raw()),
                mlirLLVMDISubprogramAttrGetCompileUnit(raw),
                mlirLLVMDISubprogramAttrGetScope(raw),
                name.to_raw(),
                symbol.to_raw(),
                mlirLLVMDISubprogramAttrGetFile(raw),
                mlirLLVMDISubprogramAttrGetLine(raw),
                mlirLLVMDISubprogramAttrGetScopeLine(raw),
                DEFINITION_OPTIMIZED,
                mlirLLVMDISubprogramAttrGetType(raw),
                0,
                ptr::null(),
                0,
                ptr::null(),
            );
            let inner = function.location().to_raw();
            Location::from_raw(mlirLocationFusedGet(context.to_raw(), 1, &inner, renamed))
        };
        function.relocate(location);
    }
}
