//! Conversion targets, patterns, and running a conversion.

use super::{PatternRewriter, TypeConverter, panics};
use crate::infra::{
    diagnostics::{Report, Severity},
    ffi::{
        pyoptConversionAddCfPatterns, pyoptConversionAddFunctionPatterns,
        pyoptConversionAddPattern, pyoptConversionAddScfPatterns, pyoptConversionApply,
        pyoptConversionCreate, pyoptConversionDestroy, pyoptConversionSetDialect,
        pyoptConversionSetDialectDynamic, pyoptConversionSetOperation,
        pyoptConversionSetOperationDynamic, pyoptConversionSetRecursivelyLegal,
        pyoptConversionSetUnknownDynamic, raw_str,
    },
    spec::{PassFailure, PassResult},
};
use melior::{
    Context,
    ir::{Location, OperationRef, Value, operation::OperationLike},
};
use mlir_sys::{MlirOperation, MlirValue};
use std::{
    cell::RefCell,
    ffi::{c_int, c_void},
    fmt::{self, Debug, Formatter},
    ptr,
    rc::Rc,
    slice,
};

/// Why a pattern last refused an operation.
type Refusal<'c> = Rc<RefCell<Option<(Location<'c>, String)>>>;

type Rewrite<'c, 'a, 't> = Box<
    dyn Fn(OperationRef<'c, 'a>, &[Vec<Value<'c, 'a>>], &PatternRewriter<'c, 'a, 't>) -> PassResult
        + 't,
>;

/// What the glue hands back to a pattern.
struct Pattern<'c, 'a, 't> {
    context: &'c Context,
    types: &'t TypeConverter<'c>,
    refusal: Refusal<'c>,
    rewrite: Rewrite<'c, 'a, 't>,
}

type Legality<'c, 'a, 't> = Box<dyn Fn(OperationRef<'c, 'a>) -> bool + 't>;

/// A conversion of everything in an operation.
///
/// ```
/// use melior::ir::OperationRef;
/// use pyopt_passes::infra::{
///     Conversion, OperationExt, PassContext, PassResult, TypeConverter, ops::arith,
/// };
///
/// fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
///     let types = TypeConverter::new();
///     let mut conversion = Conversion::new(cx.context(), root, &types);
///     conversion.legal_dialects(&["arith"]).illegal_ops(&[arith::SubI::NAME]);
///     // a - b = a + (0 - b)
///     conversion.pattern(arith::SubI::NAME, |op, operands, rewriter| {
///         let ty = rewriter.convert_one(op.result_types()[0])?;
///         let minus_one = rewriter.int(ty, -1);
///         let [left, right] = [arith::SubI::LHS_OPERAND, arith::SubI::RHS_OPERAND];
///         let negated = arith::MulI::create(rewriter, operands[right][0], minus_one).result();
///         let sum = arith::AddI::create(rewriter, operands[left][0], negated);
///         rewriter.replace(op, &[vec![sum.result()]]);
///         Ok(())
///     });
///     conversion.apply_partial()
/// }
/// ```
pub struct Conversion<'c, 'a, 't> {
    raw: *mut c_void,
    context: &'c Context,
    root: OperationRef<'c, 'a>,
    types: &'t TypeConverter<'c>,
    refusal: Refusal<'c>,
    // MLIR holds the addresses of what is in the boxes.
    #[allow(clippy::vec_box)]
    patterns: Vec<Box<Pattern<'c, 'a, 't>>>,
    #[allow(clippy::vec_box)]
    legality: Vec<Box<Legality<'c, 'a, 't>>>,
}

impl<'c: 'a, 'a: 't, 't> Conversion<'c, 'a, 't> {
    /// Makes a conversion of `root` and all inside of it that has no patterns yet.
    pub fn new(
        context: &'c Context,
        root: OperationRef<'c, 'a>,
        types: &'t TypeConverter<'c>,
    ) -> Self {
        Self {
            // SAFETY: both are valid, and the converter outlives the conversion.
            raw: unsafe { pyoptConversionCreate(context.to_raw(), types.to_raw()) },
            context,
            root,
            types,
            refusal: Rc::default(),
            patterns: Vec::new(),
            legality: Vec::new(),
        }
    }

    /// Declares all operations of dialects legal.
    pub fn legal_dialects(&mut self, names: &[&str]) -> &mut Self {
        self.set_dialects(names, true)
    }

    /// Declares all operations of dialects illegal.
    pub fn illegal_dialects(&mut self, names: &[&str]) -> &mut Self {
        self.set_dialects(names, false)
    }

    /// Declares operations legal, whatever their dialect.
    pub fn legal_ops(&mut self, names: &[&str]) -> &mut Self {
        self.set_ops(names, true)
    }

    /// Declares operations illegal, whatever their dialect.
    pub fn illegal_ops(&mut self, names: &[&str]) -> &mut Self {
        self.set_ops(names, false)
    }

    /// Declares operations legal together with their nested operations.
    pub fn recursively_legal_ops(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            // SAFETY: both are valid.
            unsafe { pyoptConversionSetRecursivelyLegal(self.raw, raw_str(name)) }
        }
        self
    }

    /// Lets a function decide whether an operation is legal.
    pub fn op_legal_if(
        &mut self,
        name: &str,
        legal: impl Fn(OperationRef<'c, 'a>) -> bool + 't,
    ) -> &mut Self {
        let data = self.keep_legality(legal);
        // SAFETY: the function lives as long as the conversion.
        unsafe {
            pyoptConversionSetOperationDynamic(self.raw, raw_str(name), is_legal, data);
        }
        self
    }

    /// Lets a function decide which operations of a dialect are legal.
    pub fn dialect_legal_if(
        &mut self,
        name: &str,
        legal: impl Fn(OperationRef<'c, 'a>) -> bool + 't,
    ) -> &mut Self {
        let data = self.keep_legality(legal);
        // SAFETY: the function lives as long as the conversion.
        unsafe { pyoptConversionSetDialectDynamic(self.raw, raw_str(name), is_legal, data) };
        self
    }

    /// Declares operations legal when their types are.
    pub fn ops_legal_if_types_are(&mut self, names: &[&str]) -> &mut Self {
        let types = self.types;
        for name in names {
            self.op_legal_if(name, |operation| types.is_legal(operation));
        }
        self
    }

    /// Declares the operations of dialects legal when their types are.
    pub fn dialects_legal_if_types_are(&mut self, names: &[&str]) -> &mut Self {
        let types = self.types;
        for name in names {
            self.dialect_legal_if(name, |operation| types.is_legal(operation));
        }
        self
    }

    /// Declares operations without any other declaration legal when their types are.
    pub fn others_legal_if_types_are(&mut self) -> &mut Self {
        let types = self.types;
        let data = self.keep_legality(|operation| types.is_legal(operation));
        // SAFETY: the function lives as long as the conversion.
        unsafe { pyoptConversionSetUnknownDynamic(self.raw, is_legal, data) };
        self
    }

    /// Adds a pattern for an operation.
    ///
    /// The function gets the operation, for each of its operands the values that it became, and
    /// the rewriter. `Err(PassFailure::Message(…))` says that the pattern doesn't apply and why,
    /// which is told if the conversion fails because of it; `Err(PassFailure::Reported)` that an
    /// error was reported.
    pub fn pattern(
        &mut self,
        name: &str,
        rewrite: impl Fn(
            OperationRef<'c, 'a>,
            &[Vec<Value<'c, 'a>>],
            &PatternRewriter<'c, 'a, 't>,
        ) -> PassResult
        + 't,
    ) -> &mut Self {
        let pattern = Box::new(Pattern {
            context: self.context,
            types: self.types,
            refusal: Rc::clone(&self.refusal),
            rewrite: Box::new(rewrite),
        });
        // SAFETY: the pattern lives as long as the conversion, and its address doesn't change.
        unsafe {
            pyoptConversionAddPattern(
                self.raw,
                raw_str(name),
                apply_pattern,
                ptr::from_ref(&*pattern).cast(),
            );
        }
        self.patterns.push(pattern);
        self
    }

    /// Converts the types of `func.func`, `func.call` and `func.return`, and says when they are
    /// legal. Branches are [`Conversion::convert_cf`]'s.
    pub fn convert_func(&mut self) -> &mut Self {
        // SAFETY: the conversion is valid.
        unsafe { pyoptConversionAddFunctionPatterns(self.raw) };
        self
    }

    /// Converts the types of structured control flow, and says when it is legal.
    pub fn convert_scf(&mut self) -> &mut Self {
        // SAFETY: the conversion is valid.
        unsafe { pyoptConversionAddScfPatterns(self.raw) };
        self
    }

    /// Converts the types of branches, and says when they are legal.
    pub fn convert_cf(&mut self) -> &mut Self {
        // SAFETY: the conversion is valid.
        unsafe { pyoptConversionAddCfPatterns(self.raw) };
        self
    }

    /// Converts as much as possible; fails when something illegal stays.
    pub fn apply_partial(self) -> PassResult {
        self.apply(false)
    }

    /// Converts everything; fails when anything stays that isn't known to be legal.
    pub fn apply_full(self) -> PassResult {
        self.apply(true)
    }

    fn apply(self, full: bool) -> PassResult {
        // SAFETY: both are valid; taking `self` ensures that this happens once.
        let success = unsafe { pyoptConversionApply(self.raw, self.root.to_raw(), full) };
        panics::resume();
        if success {
            return Ok(());
        }
        // The driver has reported which operation is left; only the pattern knows why.
        if let Some((location, message)) = self.refusal.take() {
            Report::new(Severity::Error, location, message).emit();
        }
        Err(PassFailure::Reported)
    }

    fn set_dialects(&mut self, names: &[&str], legal: bool) -> &mut Self {
        for name in names {
            // SAFETY: both are valid.
            unsafe { pyoptConversionSetDialect(self.raw, raw_str(name), legal) }
        }
        self
    }

    fn set_ops(&mut self, names: &[&str], legal: bool) -> &mut Self {
        for name in names {
            // SAFETY: both are valid.
            unsafe { pyoptConversionSetOperation(self.raw, raw_str(name), legal) }
        }
        self
    }

    /// Stores a function and returns what the glue needs to call it.
    fn keep_legality(
        &mut self,
        legal: impl Fn(OperationRef<'c, 'a>) -> bool + 't,
    ) -> *const c_void {
        let legality: Box<Legality<'c, 'a, 't>> = Box::new(Box::new(legal));
        let data = ptr::from_ref(&*legality).cast();
        self.legality.push(legality);
        data
    }
}

impl Debug for Conversion<'_, '_, '_> {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter
            .debug_struct("Conversion")
            .field("patterns", &self.patterns.len())
            .finish_non_exhaustive()
    }
}

impl Drop for Conversion<'_, '_, '_> {
    fn drop(&mut self) {
        // SAFETY: made by `pyoptConversionCreate`, destroyed once.
        unsafe { pyoptConversionDestroy(self.raw) }
    }
}

/// Asks a function whether an operation is legal.
unsafe extern "C" fn is_legal(operation: MlirOperation, legality: *const c_void) -> c_int {
    panics::guard(0, || {
        // SAFETY: `keep_legality` handed the function over.
        unsafe {
            let legality = &*legality.cast::<Legality>();
            legality(OperationRef::from_raw(operation)).into()
        }
    })
}

/// Runs a pattern.
unsafe extern "C" fn apply_pattern(
    operation: MlirOperation,
    group_count: isize,
    groups: *const isize,
    values: *const MlirValue,
    rewriter: *mut c_void,
    pattern: *const c_void,
) -> bool {
    panics::guard(false, || {
        // SAFETY: `pattern` handed the pattern over; the driver passes live objects,
        // and as many values as the groups add up to.
        let (pattern, operation, rewriter, operands) = unsafe {
            let pattern = &*pattern.cast::<Pattern>();
            let operation = OperationRef::from_raw(operation);
            (
                pattern,
                operation,
                PatternRewriter::from_raw(rewriter, pattern.context, operation, pattern.types),
                operand_groups(group_count, groups, values),
            )
        };
        match (pattern.rewrite)(operation, &operands, &rewriter) {
            Ok(()) => true,
            Err(PassFailure::Reported) => false,
            Err(PassFailure::Message(message)) => {
                *pattern.refusal.borrow_mut() = Some((operation.location(), message));
                false
            }
        }
    })
}

/// Copies the converted operands.
///
/// # Safety
///
/// There must be as many values as the groups add up to.
unsafe fn operand_groups<'c, 'a>(
    group_count: isize,
    groups: *const isize,
    mut values: *const MlirValue,
) -> Vec<Vec<Value<'c, 'a>>> {
    if group_count == 0 {
        return Vec::new();
    }
    // SAFETY: the caller vouches for the sizes; an empty group isn't looked at.
    unsafe {
        slice::from_raw_parts(groups, group_count as usize)
            .iter()
            .map(|size| {
                (0..*size)
                    .map(|_| {
                        let value = Value::from_raw(*values);
                        values = values.add(1);
                        value
                    })
                    .collect()
            })
            .collect()
    }
}
