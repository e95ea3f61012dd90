//! The type converter.

use super::panics;
use crate::infra::ffi::{
    TypeSink, pyoptTypeConverterAdd, pyoptTypeConverterConvert, pyoptTypeConverterCreate,
    pyoptTypeConverterDestroy, pyoptTypeConverterIsLegal,
};
use melior::ir::{OperationRef, Type, TypeLike};
use mlir_sys::MlirType;
use std::{
    ffi::{c_int, c_void},
    fmt::{self, Debug, Formatter},
    ptr,
};

/// What a rule says about a type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Converted<'c> {
    /// The rule doesn't know the type; another may.
    Unknown,
    /// The type has no conversion.
    Never,
    /// The type becomes these: itself when it is legal, none when its values vanish.
    To(Vec<Type<'c>>),
}

impl<'c> From<Type<'c>> for Converted<'c> {
    fn from(r#type: Type<'c>) -> Self {
        Self::To(vec![r#type])
    }
}

impl<'c> From<Vec<Type<'c>>> for Converted<'c> {
    fn from(types: Vec<Type<'c>>) -> Self {
        Self::To(types)
    }
}

impl<'c, T: Into<Converted<'c>>> From<Option<T>> for Converted<'c> {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::Unknown, Into::into)
    }
}

type Rule<'c> = Box<dyn Fn(Type<'c>) -> Converted<'c> + 'c>;

/// Converts types by rules; a type is legal when it is converted to itself.
///
/// Where a value of one kind meets a use of the other, `builtin.unrealized_conversion_cast` is put
/// between; `reconcile-unrealized-casts` removes what cancels out.
pub struct TypeConverter<'c> {
    raw: *mut c_void,
    // MLIR holds the addresses of the inner boxes.
    #[allow(clippy::vec_box)]
    rules: Vec<Box<Rule<'c>>>,
}

impl<'c> TypeConverter<'c> {
    /// Makes a converter that leaves all types as they are.
    pub fn new() -> Self {
        let mut converter = Self::strict();
        converter.add(|r#type: Type<'c>| r#type);
        converter
    }

    /// Makes a converter that knows no types at all.
    pub fn strict() -> Self {
        Self {
            // SAFETY: no precondition.
            raw: unsafe { pyoptTypeConverterCreate() },
            rules: Vec::new(),
        }
    }

    /// Adds a rule. Rules added later are asked first.
    ///
    /// The rule may return a [`Converted`], a type, a list of types, or an option of one of these,
    /// where `None` means that it doesn't know the type.
    pub fn add<R: Into<Converted<'c>>>(&mut self, rule: impl Fn(Type<'c>) -> R + 'c) -> &mut Self {
        let rule: Box<Rule<'c>> = Box::new(Box::new(move |r#type| rule(r#type).into()));
        // SAFETY: the rule lives as long as the converter, and its address doesn't change.
        unsafe { pyoptTypeConverterAdd(self.raw, convert, ptr::from_ref(&*rule).cast()) };
        self.rules.push(rule);
        self
    }

    /// Converts a type; `None` when it has no conversion.
    pub fn convert(&self, r#type: Type<'c>) -> Option<Vec<Type<'c>>> {
        let mut results = Vec::<Type<'c>>::new();
        // SAFETY: `collect` gets the list that it expects.
        let found = unsafe {
            pyoptTypeConverterConvert(
                self.raw,
                r#type.to_raw(),
                collect,
                ptr::from_mut(&mut results).cast(),
            )
        };
        panics::resume();
        found.then_some(results)
    }

    /// Converts types, each to a list; `None` when one has no conversion.
    pub fn convert_each(&self, types: &[Type<'c>]) -> Option<Vec<Vec<Type<'c>>>> {
        types.iter().map(|r#type| self.convert(*r#type)).collect()
    }

    /// Converts types to one list; `None` when one has no conversion.
    pub fn convert_all(&self, types: &[Type<'c>]) -> Option<Vec<Type<'c>>> {
        Some(self.convert_each(types)?.concat())
    }

    /// Whether an operation's operands, results, block arguments and, of a function, signature
    /// are legal.
    pub fn is_legal(&self, operation: OperationRef<'c, '_>) -> bool {
        // SAFETY: both are valid.
        let legal = unsafe { pyoptTypeConverterIsLegal(self.raw, operation.to_raw()) };
        panics::resume();
        legal
    }

    pub(super) fn to_raw(&self) -> *mut c_void {
        self.raw
    }
}

impl Default for TypeConverter<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Debug for TypeConverter<'_> {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter
            .debug_struct("TypeConverter")
            .field("rules", &self.rules.len())
            .finish()
    }
}

impl Drop for TypeConverter<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `pyoptTypeConverterCreate`, destroyed once.
        unsafe { pyoptTypeConverterDestroy(self.raw) }
    }
}

/// Asks a rule.
unsafe extern "C" fn convert(
    r#type: MlirType,
    sink: TypeSink,
    sink_data: *mut c_void,
    rule: *const c_void,
) -> c_int {
    panics::guard(-1, || {
        // SAFETY: `add` handed the rule over, and MLIR the rest.
        unsafe {
            let rule = &*rule.cast::<Rule>();
            match rule(Type::from_raw(r#type)) {
                Converted::Unknown => 0,
                Converted::Never => -1,
                Converted::To(types) => {
                    for r#type in types {
                        sink(r#type.to_raw(), sink_data);
                    }
                    1
                }
            }
        }
    })
}

/// Appends to a list of types.
unsafe extern "C" fn collect(r#type: MlirType, types: *mut c_void) {
    // SAFETY: `convert` passes its list.
    unsafe { (*types.cast::<Vec<Type>>()).push(Type::from_raw(r#type)) }
}
