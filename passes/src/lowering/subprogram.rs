//! What a function is in LLVM's debug information: the metadata of its location.

use crate::infra::{OperationExt, SourcePosition, is_subprogram};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Location, OperationRef, attribute::StringAttribute,
        operation::OperationLike,
    },
};
use mlir_sys::{
    mlirAttributeGetNull, mlirDisctinctAttrCreate, mlirLLVMDIFileAttrGet,
    mlirLLVMDILexicalBlockFileAttrGet, mlirLLVMDISubprogramAttrGet,
    mlirLLVMDISubprogramAttrGetCompileUnit, mlirLLVMDISubprogramAttrGetFile,
    mlirLLVMDISubprogramAttrGetLine, mlirLLVMDISubprogramAttrGetScope,
    mlirLLVMDISubprogramAttrGetScopeLine, mlirLLVMDISubprogramAttrGetType, mlirLocationFusedGet,
    mlirLocationFusedGetMetadata, mlirLocationIsAFused,
};
use std::{ffi::OsStr, path::Path, ptr};

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

    /// Describes a function as one of this name, without its symbol, which debuggers prefer; and so what of
    /// its code is from other files, of which each scope refers to the function's.
    pub fn rename(self, context: &'c Context, function: OperationRef<'c, '_>, name: &str) {
        let text = |text: &str| -> Attribute<'c> { StringAttribute::new(context, text).into() };
        let (raw, name, symbol) = (self.0.to_raw(), text(name), text(""));
        // SAFETY: the attribute is a subprogram, whose parts go on to another one with an identity
        // of its own; the lists are empty; the location is the function's.
        let (renamed, location) = unsafe {
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
            let location = mlirLocationFusedGet(context.to_raw(), 1, &inner, renamed);
            (
                Self(Attribute::from_raw(renamed)),
                Location::from_raw(location),
            )
        };
        function.relocate(location);
        for operation in function.pre_order().into_iter().skip(1) {
            if has_scope(operation.location()) {
                let place = operation.location().fused_location(0);
                operation.relocate(renamed.in_other_file(context, place));
            }
        }
    }

    /// A place in another file as one in this function.
    fn in_other_file(self, context: &'c Context, place: Location<'c>) -> Location<'c> {
        let position = SourcePosition::of(place);
        let path = position.map(|position| position.file).unwrap_or_default();
        let path = Path::new(&path);
        let [name, folder] = [path.file_name(), path.parent().map(Path::as_os_str)]
            .map(|part| part.and_then(OsStr::to_str).unwrap_or_default())
            .map(|part| StringAttribute::new(context, part));
        // SAFETY: the attributes are texts and a scope; the location is one.
        unsafe {
            let file = mlirLLVMDIFileAttrGet(context.to_raw(), name.to_raw(), folder.to_raw());
            let scope =
                mlirLLVMDILexicalBlockFileAttrGet(context.to_raw(), self.0.to_raw(), file, 0);
            let inner = place.to_raw();
            Location::from_raw(mlirLocationFusedGet(context.to_raw(), 1, &inner, scope))
        }
    }
}

/// Whether a location has a scope of its own: `ensure-debug-info-scope-on-llvm-func` makes one for each
/// operation from another file than the function.
fn has_scope(location: Location) -> bool {
    // SAFETY: a fused location may be asked for metadata, which it may lack.
    location.is_fused()
        && unsafe {
            !mlirLocationFusedGetMetadata(location.to_raw())
                .ptr
                .is_null()
        }
}
