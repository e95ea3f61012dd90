//! The C functions of `passes/glue`, all in one place.
//!
//! Safe wrappers are in the modules beside this one; nothing else calls these.

use mlir_sys::{
    MlirAttribute, MlirBlock, MlirContext, MlirDialectRegistry, MlirLocation, MlirOperation,
    MlirPassManager, MlirRegion, MlirRewriterBase, MlirStringCallback, MlirStringRef, MlirType,
    MlirValue,
};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// `PyoptOptionSpec` of the glue.
#[repr(C)]
pub(crate) struct RawOptionSpec {
    pub name: MlirStringRef,
    pub description: MlirStringRef,
    pub kind: i32,
    pub integer: i64,
    pub text: MlirStringRef,
    pub integers: *const i64,
    pub texts: *const MlirStringRef,
    pub count: isize,
}

/// `PyoptPassSpec` of the glue.
#[repr(C)]
pub(crate) struct RawPassSpec {
    pub name: MlirStringRef,
    pub summary: MlirStringRef,
    pub anchor: MlirStringRef,
    pub options: *const RawOptionSpec,
    pub option_count: isize,
    pub dialects: *const MlirStringRef,
    pub dialect_count: isize,
    pub user_data: *const c_void,
    pub run: unsafe extern "C" fn(*const c_void, *const c_void, MlirOperation) -> bool,
}

/// `PyoptPipelineSpec` of the glue.
#[repr(C)]
pub(crate) struct RawPipelineSpec {
    pub name: MlirStringRef,
    pub summary: MlirStringRef,
    pub options: *const RawOptionSpec,
    pub option_count: isize,
    pub user_data: *const c_void,
    pub build:
        unsafe extern "C" fn(*const c_void, *const c_void, MlirStringCallback, *mut c_void) -> bool,
}

pub(crate) type TypeSink = unsafe extern "C" fn(MlirType, *mut c_void);
pub(crate) type ConvertType =
    unsafe extern "C" fn(MlirType, TypeSink, *mut c_void, *const c_void) -> c_int;
pub(crate) type Legality = unsafe extern "C" fn(MlirOperation, *const c_void) -> c_int;
pub(crate) type Rewrite = unsafe extern "C" fn(
    MlirOperation,
    isize,
    *const isize,
    *const MlirValue,
    *mut c_void,
    *const c_void,
) -> bool;

/// The functions behind a fallback model, as the glue keeps them.
#[repr(C)]
pub(crate) struct Callbacks {
    pub raises: Option<unsafe extern "C" fn(MlirOperation, *mut c_void) -> c_int>,
    pub accesses: Option<unsafe extern "C" fn(MlirOperation, c_uint, *mut c_void) -> c_int>,
    pub owns_result: Option<unsafe extern "C" fn(MlirOperation, c_uint, *mut c_void) -> bool>,
    pub consumes_operand: Option<unsafe extern "C" fn(MlirOperation, c_uint, *mut c_void) -> bool>,
    pub view_source: Option<unsafe extern "C" fn(MlirOperation, *mut c_void) -> MlirValue>,
    pub speculatable: Option<unsafe extern "C" fn(MlirOperation, *mut c_void) -> bool>,
    pub cost: Option<unsafe extern "C" fn(MlirOperation, *mut c_void) -> i64>,
    pub is_loop: bool,
    pub is_element_loop: bool,
    pub data: *mut c_void,
}

// Pass.cpp
unsafe extern "C" {
    pub(crate) fn pyoptRegisterPass(spec: *const RawPassSpec);
    pub(crate) fn pyoptRegisterPipeline(spec: *const RawPipelineSpec);

    pub(crate) fn pyoptOnPassFailure(
        manager: MlirPassManager,
        sink: MlirStringCallback,
        sink_data: *mut c_void,
    );

    pub(crate) fn pyoptRunOthers(operation: MlirOperation, pipeline: MlirStringRef) -> bool;

    pub(crate) fn pyoptOptionInteger(options: *const c_void, index: isize) -> i64;
    pub(crate) fn pyoptOptionText(options: *const c_void, index: isize) -> MlirStringRef;
    pub(crate) fn pyoptOptionIntegerCount(options: *const c_void, index: isize) -> isize;
    pub(crate) fn pyoptOptionIntegerAt(
        options: *const c_void,
        index: isize,
        position: isize,
    ) -> i64;
    pub(crate) fn pyoptOptionTextCount(options: *const c_void, index: isize) -> isize;
    pub(crate) fn pyoptOptionTextAt(
        options: *const c_void,
        index: isize,
        position: isize,
    ) -> MlirStringRef;

    pub(crate) fn pyoptEmitDiagnostic(
        location: MlirLocation,
        severity: u32,
        message: MlirStringRef,
        note_count: isize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
}

// Ir.cpp
unsafe extern "C" {
    pub(crate) fn pyoptRewriterSplitBlock(
        rewriter: MlirRewriterBase,
        before: MlirOperation,
    ) -> MlirBlock;
    pub(crate) fn pyoptRewriterAppendBlock(
        rewriter: MlirRewriterBase,
        region: MlirRegion,
        count: isize,
        types: *const MlirType,
        locations: *const MlirLocation,
    ) -> MlirBlock;
    pub(crate) fn pyoptRewriterMoveRegion(
        rewriter: MlirRewriterBase,
        source: MlirRegion,
        target: MlirRegion,
    );
    pub(crate) fn pyoptRewriterCloneRegion(
        rewriter: MlirRewriterBase,
        source: MlirRegion,
        target: MlirRegion,
        count: isize,
        from: *const MlirValue,
        to: *const MlirValue,
    );
    pub(crate) fn pyoptRewriterClone(
        rewriter: MlirRewriterBase,
        operation: MlirOperation,
        count: isize,
        from: *const MlirValue,
        to: *const MlirValue,
    ) -> MlirOperation;
    pub(crate) fn pyoptValueParentBlock(value: MlirValue) -> MlirBlock;
    pub(crate) fn pyoptOperationIsTriviallyDead(operation: MlirOperation) -> bool;
    pub(crate) fn pyoptOperationIsPure(operation: MlirOperation) -> bool;
    pub(crate) fn pyoptAttributeIsSubprogram(attribute: MlirAttribute) -> bool;
    pub(crate) fn pyoptGepSetWithinBounds(gep: MlirOperation);
    pub(crate) fn pyoptOperationRaises(operation: MlirOperation) -> c_int;
    pub(crate) fn pyoptOperationEffects(
        operation: MlirOperation,
        found: unsafe extern "C" fn(*mut c_void, c_int, MlirValue, bool),
        data: *mut c_void,
    ) -> bool;
    pub(crate) fn pyoptOperationViewSource(operation: MlirOperation) -> MlirValue;
    pub(crate) fn pyoptOperationOwnsResult(operation: MlirOperation, result: c_uint) -> bool;
    pub(crate) fn pyoptOperationLendsResult(operation: MlirOperation, result: c_uint) -> bool;
    pub(crate) fn pyoptOperationConsumesOperand(operation: MlirOperation, operand: c_uint) -> bool;
    pub(crate) fn pyoptOperationReleased(
        operation: MlirOperation,
        first: *mut isize,
        count: *mut isize,
    ) -> bool;
    pub(crate) fn pyoptOperationSetReleased(
        operation: MlirOperation,
        count: isize,
        values: *const MlirValue,
    ) -> bool;
    pub(crate) fn pyoptOperationSuccessorOperands(
        operation: MlirOperation,
        successor: c_uint,
        produced: *mut isize,
        first: *mut isize,
        count: *mut isize,
    ) -> bool;
    pub(crate) fn pyoptOperationSetSuccessorOperands(
        operation: MlirOperation,
        successor: c_uint,
        count: isize,
        values: *const MlirValue,
    ) -> bool;
    pub(crate) fn pyoptLLVMArraySize(r#type: MlirType) -> i64;
    pub(crate) fn pyoptOperationUnwindSuccessor(operation: MlirOperation) -> isize;
    pub(crate) fn pyoptOperationCost(operation: MlirOperation) -> i64;
    pub(crate) fn pyoptOperationIsElementLoop(operation: MlirOperation) -> bool;
    pub(crate) fn pyoptOperationIsLoop(operation: MlirOperation) -> bool;
    pub(crate) fn pyoptOperationLoopDimensions(
        operation: MlirOperation,
        found: unsafe extern "C" fn(*mut c_void, MlirValue, *const MlirValue),
        data: *mut c_void,
    ) -> bool;
    pub(crate) fn pyoptAttachInterfaces(
        context: MlirContext,
        name: MlirStringRef,
        callbacks: *const Callbacks,
    ) -> bool;
    pub(crate) fn pyoptOperationIsTerminator(operation: MlirOperation) -> bool;
    pub(crate) fn pyoptLookupSymbol(from: MlirOperation, name: MlirStringRef) -> MlirOperation;
    pub(crate) fn pyoptDominanceCreate(root: MlirOperation) -> *mut c_void;
    pub(crate) fn pyoptDominanceDestroy(dominance: *mut c_void);
    pub(crate) fn pyoptDominatesBlock(dominance: *mut c_void, a: MlirBlock, b: MlirBlock) -> bool;
    pub(crate) fn pyoptDominanceImmediate(dominance: *mut c_void, block: MlirBlock) -> MlirBlock;
    pub(crate) fn pyoptDominatesOperation(
        dominance: *mut c_void,
        a: MlirOperation,
        b: MlirOperation,
    ) -> bool;
    pub(crate) fn pyoptDominatesValue(
        dominance: *mut c_void,
        value: MlirValue,
        user: MlirOperation,
    ) -> bool;
}

// Conversion.cpp
unsafe extern "C" {
    pub(crate) fn pyoptTypeConverterCreate() -> *mut c_void;
    pub(crate) fn pyoptTypeConverterDestroy(converter: *mut c_void);
    pub(crate) fn pyoptTypeConverterAdd(
        converter: *mut c_void,
        convert: ConvertType,
        user_data: *const c_void,
    );
    pub(crate) fn pyoptTypeConverterConvert(
        converter: *mut c_void,
        r#type: MlirType,
        sink: TypeSink,
        sink_data: *mut c_void,
    ) -> bool;
    pub(crate) fn pyoptTypeConverterIsLegal(
        converter: *mut c_void,
        operation: MlirOperation,
    ) -> bool;
    pub(crate) fn pyoptConversionCreate(
        context: MlirContext,
        converter: *mut c_void,
    ) -> *mut c_void;
    pub(crate) fn pyoptConversionDestroy(conversion: *mut c_void);
    pub(crate) fn pyoptConversionSetDialect(
        conversion: *mut c_void,
        name: MlirStringRef,
        legal: bool,
    );
    pub(crate) fn pyoptConversionSetOperation(
        conversion: *mut c_void,
        name: MlirStringRef,
        legal: bool,
    );
    pub(crate) fn pyoptConversionSetOperationDynamic(
        conversion: *mut c_void,
        name: MlirStringRef,
        legality: Legality,
        user_data: *const c_void,
    );
    pub(crate) fn pyoptConversionSetDialectDynamic(
        conversion: *mut c_void,
        name: MlirStringRef,
        legality: Legality,
        user_data: *const c_void,
    );
    pub(crate) fn pyoptConversionSetUnknownDynamic(
        conversion: *mut c_void,
        legality: Legality,
        user_data: *const c_void,
    );
    pub(crate) fn pyoptConversionSetRecursivelyLegal(conversion: *mut c_void, name: MlirStringRef);
    pub(crate) fn pyoptConversionAddPattern(
        conversion: *mut c_void,
        name: MlirStringRef,
        rewrite: Rewrite,
        user_data: *const c_void,
    );
    pub(crate) fn pyoptConversionAddFunctionPatterns(conversion: *mut c_void);
    pub(crate) fn pyoptConversionAddScfPatterns(conversion: *mut c_void);
    pub(crate) fn pyoptConversionAddCfPatterns(conversion: *mut c_void);
    pub(crate) fn pyoptConversionApply(
        conversion: *mut c_void,
        root: MlirOperation,
        full: bool,
    ) -> bool;
    pub(crate) fn pyoptConversionRewriterBase(rewriter: *mut c_void) -> MlirRewriterBase;
    pub(crate) fn pyoptConversionRewriterReplace(
        rewriter: *mut c_void,
        operation: MlirOperation,
        group_count: isize,
        groups: *const isize,
        values: *const MlirValue,
    );
    pub(crate) fn pyoptConversionRewriterReplaceValue(
        rewriter: *mut c_void,
        from: MlirValue,
        count: isize,
        values: *const MlirValue,
    );
    pub(crate) fn pyoptConversionRewriterConvertRegion(
        rewriter: *mut c_void,
        region: MlirRegion,
        converter: *mut c_void,
    ) -> bool;
    pub(crate) fn pyoptConversionRewriterConvertBlock(
        rewriter: *mut c_void,
        block: MlirBlock,
        converter: *mut c_void,
        groups: *const isize,
        types: *const MlirType,
        extra: isize,
    ) -> MlirBlock;
    pub(crate) fn pyoptConversionRewriterRemapped(
        rewriter: *mut c_void,
        value: MlirValue,
        remapped: *mut MlirValue,
    ) -> bool;
}

// Tool.cpp
unsafe extern "C" {
    pub(crate) fn pyoptOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        tool_name: MlirStringRef,
        registry: MlirDialectRegistry,
        irdl: MlirStringRef,
        hooks: *const ToolHooks,
    ) -> c_int;

    // Subcommands.cpp
    pub(crate) fn pyoptReduceMain(
        argc: c_int,
        argv: *mut *mut c_char,
        context: MlirContext,
    ) -> c_int;
    pub(crate) fn pyoptLspServerMain(
        argc: c_int,
        argv: *mut *mut c_char,
        registry: MlirDialectRegistry,
    ) -> c_int;
}

/// `PyoptToolHooks` of the glue.
#[repr(C)]
pub(crate) struct ToolHooks {
    pub prepare: extern "C" fn(MlirContext, bool),
    pub print_pipeline: extern "C" fn(MlirStringRef) -> bool,
    pub dump_registry: extern "C" fn(),
    pub try_each_pass: extern "C" fn(MlirContext, MlirStringRef) -> bool,
}

/// A string for the length of a call.
pub(crate) fn raw_str(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Copies a string out. What isn't UTF-8 is replaced.
///
/// # Safety
///
/// `text` must be a valid string reference or an empty one.
pub(crate) unsafe fn owned_str(text: MlirStringRef) -> String {
    if text.length == 0 {
        return String::new();
    }
    // SAFETY: the caller says that the reference is valid, and it isn't empty.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A string callback that appends to the `String` behind `data`.
///
/// # Safety
///
/// `data` must point to a `String` that nobody else uses during the call.
pub(crate) unsafe extern "C" fn append_to_string(part: MlirStringRef, data: *mut c_void) {
    // SAFETY: see above.
    unsafe { (*data.cast::<String>()).push_str(&owned_str(part)) }
}
