//! Reading the attributes of an operation by name.

use super::OperationExt;
use crate::infra::{
    diagnostics::{Report, Severity},
    ffi::pyoptAttributeIsSubprogram,
    spec::{PassFailure, PassResult},
};
use melior::{
    Context, StringRef,
    ir::{Attribute, AttributeLike, OperationRef, Type, operation::OperationLike},
};
use mlir_sys::{
    MlirLLVMLinkage_MlirLLVMLinkageInternal, mlirDictionaryAttrGetElementByName,
    mlirLLVMLinkageAttrGet,
};
pub use pyopt_dialects::attributes::AttributeExt;

/// The linkage of what only its module sees.
pub(crate) fn internal_linkage(context: &Context) -> Attribute<'_> {
    // SAFETY: the context outlives the attribute, by its lifetime.
    unsafe {
        let linkage = MlirLLVMLinkage_MlirLLVMLinkageInternal;
        Attribute::from_raw(mlirLLVMLinkageAttrGet(context.to_raw(), linkage))
    }
}

/// Whether an attribute describes a function to debuggers: `#llvm.di_subprogram`.
pub(crate) fn is_subprogram(attribute: Attribute) -> bool {
    // SAFETY: any attribute may be asked.
    unsafe { pyoptAttributeIsSubprogram(attribute.to_raw()) }
}

/// Reading the attributes of an operation by name.
///
/// Where an attribute must be there, `op.required("name", op.str_attr("name"))?` reports that it
/// isn't.
pub trait OperationAttributes<'c: 'a, 'a>: OperationExt<'c, 'a> {
    /// Returns a string.
    fn str_attr(self, name: &str) -> Option<&'c str> {
        self.attr(name)?.string_value()
    }

    /// Returns an integer.
    fn int_attr(self, name: &str) -> Option<i64> {
        self.attr(name)?.integer_value()
    }

    /// Returns a float.
    fn float_attr(self, name: &str) -> Option<f64> {
        self.attr(name)?.float_value()
    }

    /// Whether a unit attribute is there or a truth value is true.
    fn flag_attr(self, name: &str) -> bool {
        self.attr(name)
            .is_some_and(|attribute| attribute.bool_value() != Some(false))
    }

    /// Returns a type.
    fn type_attr(self, name: &str) -> Option<Type<'c>> {
        self.attr(name)?.type_value()
    }

    /// Returns the name a symbol reference holds.
    fn symbol_attr(self, name: &str) -> Option<&'c str> {
        self.attr(name)?.symbol_value()
    }

    /// Returns the elements of an array.
    fn array_attr(self, name: &str) -> Option<Vec<Attribute<'c>>> {
        self.attr(name)?.elements()
    }

    /// Returns the elements of an `array<i64: …>`.
    fn i64_array_attr(self, name: &str) -> Option<Vec<i64>> {
        self.attr(name)?.i64_elements()
    }

    /// Returns how many operands each group of the operation has; nothing where it makes no groups.
    fn operand_segments(self) -> Vec<usize> {
        let sizes = self.attr("operandSegmentSizes");
        let sizes = sizes.and_then(AttributeExt::i32_elements).into_iter();
        sizes.flatten().map(|size| size as usize).collect()
    }

    /// Returns the operation's own symbol name.
    fn symbol_name(self) -> Option<&'c str> {
        self.str_attr("sym_name")
    }

    /// Reports at the operation that an attribute is missing or of another kind.
    fn required<T>(self, name: &str, value: Option<T>) -> PassResult<T> {
        value.ok_or_else(|| {
            let operation: OperationRef = self.as_ref();
            Report::new(
                Severity::Error,
                operation.location(),
                format!("'{}' op has no usable attribute '{name}'", self.full_name()),
            )
            .emit();
            PassFailure::Reported
        })
    }
}

impl<'c: 'a, 'a> OperationAttributes<'c, 'a> for OperationRef<'c, 'a> {}

/// The value of a name in a dictionary attribute.
pub(crate) fn dictionary_entry<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    if !dictionary.is_dictionary() {
        return None;
    }
    let name = StringRef::new(name);
    // SAFETY: the kind is checked; the entry lives as long as the context.
    unsafe {
        Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
            dictionary.to_raw(),
            name.to_raw(),
        ))
    }
}
