//! The rewriter of conversion patterns.

use super::TypeConverter;
use crate::infra::{
    builder::Builder,
    ffi::{
        pyoptConversionRewriterBase, pyoptConversionRewriterConvertBlock,
        pyoptConversionRewriterConvertRegion, pyoptConversionRewriterRemapped,
        pyoptConversionRewriterReplace, pyoptConversionRewriterReplaceValue,
    },
    ir::{BlockExt, OperationExt},
    spec::{PassFailure, PassResult},
};
use melior::{
    Context,
    ir::{
        BlockRef, Location, Operation, OperationRef, RegionLike, RegionRef, Type, TypeLike, Value,
        ValueLike, block::BlockLike, operation::OperationLike,
    },
};
use mlir_sys::MlirValue;
use pyopt_dialects::view::OpBuilder;
use std::{ffi::c_void, ops::Deref};

/// What a conversion pattern rewrites with.
///
/// It stands before the operation that is rewritten, and is a [`Builder`] in every other respect.
#[derive(Debug)]
pub struct PatternRewriter<'c, 'a, 't> {
    raw: *mut c_void,
    builder: Builder<'c, 'a>,
    types: &'t TypeConverter<'c>,
}

impl<'c: 'a, 'a, 't> PatternRewriter<'c, 'a, 't> {
    /// Wraps the rewriter of a pattern.
    ///
    /// # Safety
    ///
    /// `raw` must be a live `ConversionPatternRewriter` and outlive the result.
    pub(super) unsafe fn from_raw(
        raw: *mut c_void,
        context: &'c Context,
        operation: OperationRef<'c, 'a>,
        types: &'t TypeConverter<'c>,
    ) -> Self {
        Self {
            raw,
            // SAFETY: the base is the same object.
            builder: unsafe {
                Builder::from_raw(
                    pyoptConversionRewriterBase(raw),
                    context,
                    operation.location(),
                )
            },
            types,
        }
    }

    /// Returns the type converter.
    pub fn types(&self) -> &'t TypeConverter<'c> {
        self.types
    }

    /// Converts a type, or fails the pattern.
    pub fn convert(&self, r#type: Type<'c>) -> PassResult<Vec<Type<'c>>> {
        self.types
            .convert(r#type)
            .ok_or_else(|| PassFailure::Message(format!("type {type} has no conversion")))
    }

    /// Converts a type that becomes exactly one, or fails the pattern.
    pub fn convert_one(&self, r#type: Type<'c>) -> PassResult<Type<'c>> {
        match self.convert(r#type)?[..] {
            [converted] => Ok(converted),
            _ => Err(PassFailure::Message(format!(
                "type {type} doesn't become a single type"
            ))),
        }
    }

    /// Converts the types of an operation's results, or fails the pattern.
    pub fn convert_results(&self, operation: OperationRef<'c, 'a>) -> PassResult<Vec<Type<'c>>> {
        let mut types = Vec::new();
        for r#type in operation.result_types() {
            types.extend(self.convert(r#type)?);
        }
        Ok(types)
    }

    /// Replaces each result of an operation by any number of values.
    ///
    /// # Panics
    ///
    /// When there aren't as many groups as results.
    pub fn replace(&self, operation: OperationRef<'c, 'a>, values: &[Vec<Value<'c, 'a>>]) {
        assert_eq!(
            operation.result_count(),
            values.len(),
            "'{}' needs as many groups of replacements as it has results",
            operation.full_name()
        );
        let groups: Vec<_> = values.iter().map(|group| group.len() as isize).collect();
        let values: Vec<_> = values.iter().flatten().map(ValueLike::to_raw).collect();
        // SAFETY: all are valid and the groups add up to the values.
        unsafe {
            pyoptConversionRewriterReplace(
                self.raw,
                operation.to_raw(),
                groups.len() as isize,
                groups.as_ptr(),
                values.as_ptr(),
            )
        }
    }

    /// Replaces the uses of a value, once for each value, by any number of values.
    pub fn replace_value(&self, from: Value<'c, 'a>, to: &[Value<'c, 'a>]) {
        // SAFETY: all are valid; a value is a transparent pointer.
        unsafe {
            pyoptConversionRewriterReplaceValue(
                self.raw,
                from.to_raw(),
                to.len() as isize,
                to.as_ptr().cast(),
            )
        }
    }

    /// Converts the arguments of all blocks in a region, or fails the pattern.
    pub fn convert_region(&self, region: RegionRef<'c, 'a>) -> PassResult {
        // SAFETY: all are valid.
        let converted = unsafe {
            pyoptConversionRewriterConvertRegion(self.raw, region.to_raw(), self.types.to_raw())
        };
        super::panics::resume();
        if converted {
            Ok(())
        } else {
            Err(PassFailure::Message(
                "a block argument's type has no conversion".into(),
            ))
        }
    }

    /// Gives a block other arguments: argument `i` becomes `arguments[i]`, and `extra` are new
    /// ones behind. Returns the block that takes its place.
    ///
    /// # Panics
    ///
    /// When there aren't as many groups as arguments.
    pub fn convert_block(
        &self,
        block: BlockRef<'c, 'a>,
        arguments: &[Vec<Type<'c>>],
        extra: &[Type<'c>],
    ) -> BlockRef<'c, 'a> {
        assert_eq!(
            block.argument_values().len(),
            arguments.len(),
            "a block needs as many groups of types as it has arguments"
        );
        let groups: Vec<_> = arguments.iter().map(|group| group.len() as isize).collect();
        let types: Vec<_> = arguments
            .iter()
            .flatten()
            .chain(extra)
            .map(TypeLike::to_raw)
            .collect();
        // SAFETY: all are valid and the groups with the extra ones add up to the types.
        unsafe {
            BlockRef::from_raw(pyoptConversionRewriterConvertBlock(
                self.raw,
                BlockLike::to_raw(&block),
                self.types.to_raw(),
                groups.as_ptr(),
                types.as_ptr(),
                extra.len() as isize,
            ))
        }
    }

    /// Returns what a value that isn't an operand was converted to, if that is a single value.
    pub fn remapped(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let mut remapped = MlirValue {
            ptr: std::ptr::null(),
        };
        // SAFETY: all are valid; the value is looked at only when there is one.
        unsafe {
            pyoptConversionRewriterRemapped(self.raw, value.to_raw(), &mut remapped)
                .then(|| Value::from_raw(remapped))
        }
    }
}

impl<'c, 'a> Deref for PatternRewriter<'c, 'a, '_> {
    type Target = Builder<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.builder
    }
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a> for PatternRewriter<'c, 'a, '_> {
    fn context(&self) -> &'c Context {
        self.builder.context()
    }

    fn location(&self) -> Location<'c> {
        self.builder.location()
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        self.builder.insert(operation)
    }
}

/// Returns the only value of a converted operand, or fails the pattern.
pub fn single<'c, 'a>(operand: &[Value<'c, 'a>]) -> PassResult<Value<'c, 'a>> {
    match operand {
        [value] => Ok(*value),
        _ => Err(PassFailure::Message(format!(
            "an operand became {} values instead of one",
            operand.len()
        ))),
    }
}
