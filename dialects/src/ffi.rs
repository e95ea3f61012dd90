//! The C functions of `lib/CAPI.cpp`. All unsafe declarations of the crate.

use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectHandle, MlirDialectRegistry, MlirStringRef, MlirType,
};
use std::ffi::{c_int, c_uint};

unsafe extern "C" {
    pub fn mlirGetDialectHandle__py__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__typed__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__parfor__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__stencil__() -> MlirDialectHandle;
    pub fn mlirGetDialectHandle__pyopt__() -> MlirDialectHandle;

    pub fn pyoptParforPatternGet(
        context: MlirContext,
        kind: i64,
        detail: MlirAttribute,
    ) -> MlirAttribute;
    pub fn pyoptParforPatternKind(attribute: MlirAttribute) -> i64;
    pub fn pyoptParforPatternDetail(attribute: MlirAttribute) -> MlirAttribute;

    pub fn pyoptTypedKind(r#type: MlirType) -> c_int;
    pub fn pyoptTypedArrayGet(
        context: MlirContext,
        rank: c_uint,
        element: MlirType,
        layout: c_int,
        readonly: bool,
    ) -> MlirType;
    pub fn pyoptTypedArrayRank(r#type: MlirType) -> c_uint;
    pub fn pyoptTypedArrayLayout(r#type: MlirType) -> c_int;
    pub fn pyoptTypedArrayReadonly(r#type: MlirType) -> bool;
    pub fn pyoptTypedTimeKind(r#type: MlirType) -> c_int;
    pub fn pyoptTypedTimeUnit(r#type: MlirType) -> c_int;
    pub fn pyoptTypedTimeGet(context: MlirContext, kind: c_int, unit: c_int) -> MlirType;
    pub fn pyoptTypedRecordFields(r#type: MlirType) -> MlirAttribute;
    pub fn pyoptTypedRecordSize(r#type: MlirType) -> i64;
    pub fn pyoptTypedIsElement(r#type: MlirType) -> bool;
    pub fn pyoptTypedInner(r#type: MlirType, position: c_int) -> MlirType;
    pub fn pyoptTypedName(r#type: MlirType) -> MlirStringRef;
    pub fn pyoptTypedLiteralValue(r#type: MlirType) -> MlirAttribute;
    pub fn pyoptTypedNullaryGet(context: MlirContext, kind: c_int) -> MlirType;
    pub fn pyoptTypedUnaryGet(context: MlirContext, kind: c_int, inner: MlirType) -> MlirType;
    pub fn pyoptTypedDictGet(context: MlirContext, key: MlirType, value: MlirType) -> MlirType;
    pub fn pyoptTypedDictViewGet(
        context: MlirContext,
        dict: MlirType,
        part: MlirStringRef,
    ) -> MlirType;
    pub fn pyoptTypedSliceGet(
        context: MlirContext,
        start: MlirType,
        stop: MlirType,
        step: MlirType,
    ) -> MlirType;
    pub fn pyoptTypedSequenceGet(
        context: MlirContext,
        items: MlirType,
        class: MlirAttribute,
    ) -> MlirType;
    pub fn pyoptTypedLiteralGet(context: MlirContext, value: MlirAttribute) -> MlirType;
    pub fn pyoptTypedByNameGet(context: MlirContext, kind: c_int, name: MlirStringRef) -> MlirType;
    pub fn pyoptTypedMethodGet(
        context: MlirContext,
        receiver: MlirType,
        name: MlirStringRef,
    ) -> MlirType;
    pub fn pyoptTypedGeneratorGet(
        context: MlirContext,
        function: MlirStringRef,
        item: MlirType,
    ) -> MlirType;
    pub fn pyoptPyObjectGet(context: MlirContext) -> MlirType;

    pub fn pyoptPyAttributeKind(attribute: MlirAttribute) -> c_int;
    pub fn pyoptPyAttributeText(attribute: MlirAttribute) -> MlirStringRef;
    pub fn pyoptPyAttributePart(attribute: MlirAttribute, position: c_int) -> MlirAttribute;
    pub fn pyoptPyNullaryGet(context: MlirContext, kind: c_int) -> MlirAttribute;
    pub fn pyoptPyTextGet(context: MlirContext, kind: c_int, text: MlirStringRef) -> MlirAttribute;
    pub fn pyoptPyComplexGet(real: MlirAttribute, imag: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyFrozenSetGet(elements: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyDeclaredGet(value: MlirAttribute, r#type: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyTicksGet(ticks: MlirAttribute, r#type: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPySliceGet(parts: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyStencilGet(
        context: MlirContext,
        kernel: MlirStringRef,
        options: MlirAttribute,
    ) -> MlirAttribute;
    pub fn pyoptPyObjectCodeGet(
        context: MlirContext,
        function: MlirStringRef,
        parts: MlirAttribute,
    ) -> MlirAttribute;
    pub fn pyoptPyOpaqueGet(
        context: MlirContext,
        slot: i64,
        r#type: MlirStringRef,
    ) -> MlirAttribute;
    pub fn pyoptPyKeywordsGet(names: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyTupleOfGet(class: MlirAttribute, items: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyExceptionClassGet(names: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyExceptionGet(class: MlirAttribute, arguments: MlirAttribute) -> MlirAttribute;
    pub fn pyoptPyNamedTupleGet(
        name: MlirStringRef,
        slot: i64,
        fields: MlirAttribute,
    ) -> MlirAttribute;
    pub fn pyoptPyCFunctionGet(
        name: MlirStringRef,
        r#type: MlirAttribute,
        address: i64,
    ) -> MlirAttribute;
    pub fn pyoptPyOpaqueSlot(attribute: MlirAttribute) -> i64;

    pub fn pyoptRegisterExternalModels(registry: MlirDialectRegistry);
}
