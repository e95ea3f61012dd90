//! What operations say of themselves, through their interfaces.
//!
//! Passes ask here whether an operation raises, what memory it accesses, what it is a view of and
//! who owns its results. The answers stand with the definition of the operation, in ODS; those for
//! upstream's operations in `dialects/lib/Interfaces.cpp`.

use super::{OperationExt, ValueExt};
use crate::infra::ffi::{
    Callbacks, pyoptAttachInterfaces, pyoptOperationConsumesOperand, pyoptOperationCost,
    pyoptOperationEffects, pyoptOperationIsElementLoop, pyoptOperationIsLoop,
    pyoptOperationLendsResult, pyoptOperationLoopDimensions, pyoptOperationOwnsResult,
    pyoptOperationRaises, pyoptOperationReleased, pyoptOperationSetReleased,
    pyoptOperationSetSuccessorOperands, pyoptOperationSuccessorOperands,
    pyoptOperationUnwindSuccessor, pyoptOperationViewSource, raw_str,
};
use melior::{
    Context,
    ir::{OperationRef, Value, ValueLike},
};
use mlir_sys::{MlirOperation, MlirValue};
use std::{
    ffi::{c_int, c_uint, c_void},
    ops::Range,
};

/// The errors that an operation may raise.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Raises {
    /// None.
    #[default]
    Nothing,
    /// That sizes don't broadcast: whichever operation raises it first, the user sees the same.
    Shape,
    /// Any.
    Anything,
}

/// How an operation accesses memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It allocates.
    Allocate,
    /// It frees.
    Free,
}

/// One effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect<'c, 'a> {
    /// What is done.
    pub access: Access,
    /// To the memory of this value; `None` for any memory.
    pub value: Option<Value<'c, 'a>>,
    /// Whether it is memory. Other resources order operations among themselves: errors, reference
    /// counts, what debuggers show.
    pub memory: bool,
}

/// One dimension of the iteration space of a loop.
#[derive(Clone, Debug)]
pub struct Dimension<'c, 'a> {
    /// The induction variable.
    pub index: Value<'c, 'a>,
    /// Lower bound, upper bound and step, constants aside: all that the trip count depends on.
    pub bounds: Vec<Value<'c, 'a>>,
}

/// Asking an operation for what its interfaces tell.
pub trait OperationInterfaces<'c: 'a, 'a>: OperationExt<'c, 'a> {
    /// What the operation may raise, those inside of it aside.
    fn raises(self) -> Raises {
        // SAFETY: the operation is valid.
        match unsafe { pyoptOperationRaises(self.as_ref().to_raw()) } {
            0 => Raises::Nothing,
            1 => Raises::Shape,
            _ => Raises::Anything,
        }
    }

    /// What the operation does, those inside of it aside; `None` where that isn't known.
    fn effects(self) -> Option<Vec<Effect<'c, 'a>>> {
        unsafe extern "C" fn found(data: *mut c_void, kind: c_int, value: MlirValue, memory: bool) {
            // SAFETY: `data` is the list below, which outlives the call.
            let effects = unsafe { &mut *data.cast::<Vec<(c_int, MlirValue, bool)>>() };
            effects.push((kind, value, memory));
        }
        let mut raw: Vec<(c_int, MlirValue, bool)> = Vec::new();
        // SAFETY: the operation is valid and the list lives through the call.
        let known =
            unsafe { pyoptOperationEffects(self.as_ref().to_raw(), found, (&raw mut raw).cast()) };
        known.then(|| {
            let effects = raw.into_iter();
            effects
                .map(|(kind, value, memory)| Effect {
                    access: match kind {
                        0 => Access::Read,
                        1 => Access::Write,
                        2 => Access::Allocate,
                        _ => Access::Free,
                    },
                    // SAFETY: the value is null, or an operand or result of the operation.
                    value: (!value.ptr.is_null()).then(|| unsafe { Value::from_raw(value) }),
                    memory,
                })
                .collect()
        })
    }

    /// What the result shares memory and owner with, where it is a view.
    fn view_source(self) -> Option<Value<'c, 'a>> {
        // SAFETY: the operation is valid; the value is an operand of it, or null.
        unsafe {
            let source = pyoptOperationViewSource(self.as_ref().to_raw());
            (!source.ptr.is_null()).then(|| Value::from_raw(source))
        }
    }

    /// Whether a result is a reference of its user's own; else it borrows from the operands.
    fn owns_result(self, index: usize) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationOwnsResult(self.as_ref().to_raw(), index as c_uint) }
    }

    /// Whether a result that may hold no reference, such as an address, leads into what the operands
    /// hold: that must stay as long as the result is used.
    fn lends_result(self, index: usize) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationLendsResult(self.as_ref().to_raw(), index as c_uint) }
    }

    /// Whether the operation takes the reference of an operand over.
    fn consumes_operand(self, index: usize) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationConsumesOperand(self.as_ref().to_raw(), index as c_uint) }
    }

    /// The positions of the operands whose references are given back when the operation raises; `None`
    /// if it lists no such values.
    fn released_operands(self) -> Option<Range<usize>> {
        let (mut first, mut count) = (0, 0);
        // SAFETY: the operation is valid; the numbers live through the call.
        let lists = unsafe {
            pyoptOperationReleased(self.as_ref().to_raw(), &raw mut first, &raw mut count)
        };
        lists.then_some(first as usize..(first + count) as usize)
    }

    /// Leaves values out of those that the operation releases when it raises.
    fn retain_released(self, keep: impl Fn(Value<'c, 'a>) -> bool) {
        let Some(released) = self.released_operands() else {
            return;
        };
        let mut values = self.operand_values()[released].to_vec();
        let before = values.len();
        values.retain(|value| keep(*value));
        if values.len() != before {
            self.set_released(&values);
        }
    }

    /// Replaces the values whose references are given back when the operation raises; whether it
    /// lists such values.
    fn set_released(self, values: &[Value<'c, 'a>]) -> bool {
        // SAFETY: operation and values are valid; a value is a transparent pointer.
        unsafe {
            pyoptOperationSetReleased(
                self.as_ref().to_raw(),
                values.len() as isize,
                values.as_ptr().cast(),
            )
        }
    }

    /// What a branch passes to a successor: how many of its first arguments the branch makes
    /// itself, and the positions of the operands that the others get. `None` if it isn't a branch.
    fn successor_operands(self, successor: usize) -> Option<(usize, Range<usize>)> {
        let (mut produced, mut first, mut count) = (0, 0, 0);
        // SAFETY: the operation is valid, and has the successor; the numbers live through the call.
        let is_branch = unsafe {
            pyoptOperationSuccessorOperands(
                self.as_ref().to_raw(),
                successor as c_uint,
                &raw mut produced,
                &raw mut first,
                &raw mut count,
            )
        };
        let operands = first as usize..(first + count) as usize;
        is_branch.then_some((produced as usize, operands))
    }

    /// Replaces what a branch passes to a successor; whether it is a branch.
    fn set_successor_operands(self, successor: usize, values: &[Value<'c, 'a>]) -> bool {
        // SAFETY: operation and values are valid; a value is a transparent pointer.
        unsafe {
            pyoptOperationSetSuccessorOperands(
                self.as_ref().to_raw(),
                successor as c_uint,
                values.len() as isize,
                values.as_ptr().cast(),
            )
        }
    }

    /// How long the operation takes, in simple ones, those in its regions and its callee aside; `None`
    /// where it may take any time.
    fn cost(self) -> Option<i64> {
        // SAFETY: the operation is valid.
        let cost = unsafe { pyoptOperationCost(self.as_ref().to_raw()) };
        (cost >= 0).then_some(cost)
    }

    /// Whether the operation works on whole arrays and becomes a loop over elements.
    fn is_element_loop(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationIsElementLoop(self.as_ref().to_raw()) }
    }

    /// Whether the operation is a loop: its regions may run any number of times.
    fn is_loop(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationIsLoop(self.as_ref().to_raw()) }
    }

    /// The dimensions of a loop whose iteration space is known when it is entered.
    fn loop_dimensions(self) -> Option<Vec<Dimension<'c, 'a>>> {
        unsafe extern "C" fn found(data: *mut c_void, index: MlirValue, bounds: *const MlirValue) {
            // SAFETY: `data` is the list below, which outlives the call; there are three bounds.
            unsafe {
                let dimensions = &mut *data.cast::<Vec<(MlirValue, [MlirValue; 3])>>();
                dimensions.push((index, *bounds.cast()));
            }
        }
        let mut raw: Vec<(MlirValue, [MlirValue; 3])> = Vec::new();
        // SAFETY: the operation is valid and the list lives through the call.
        let known = unsafe {
            let data = (&raw mut raw).cast();
            pyoptOperationLoopDimensions(self.as_ref().to_raw(), found, data)
        };
        known.then(|| {
            let values = raw.into_iter().map(|(index, bounds)| Dimension {
                // SAFETY: it is an argument of the loop's body.
                index: unsafe { Value::from_raw(index) },
                bounds: (bounds.into_iter().filter(|bound| !bound.ptr.is_null()))
                    // SAFETY: it is an operand of the loop.
                    .map(|bound| unsafe { Value::from_raw(bound) })
                    .collect(),
            });
            values.collect()
        })
    }

    /// The number of the successor that exceptions raised in the block go to, if they don't leave
    /// the function.
    fn unwind_successor(self) -> Option<usize> {
        // SAFETY: the operation is valid.
        let successor = unsafe { pyoptOperationUnwindSuccessor(self.as_ref().to_raw()) };
        usize::try_from(successor).ok()
    }
}

impl<'c: 'a, 'a> OperationInterfaces<'c, 'a> for OperationRef<'c, 'a> {}

/// The value that views lead to: what isn't a view of something else.
pub fn view_root<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(source) = value
        .defining_op()
        .and_then(OperationInterfaces::view_source)
    {
        value = source;
    }
    value
}

/// Asks something about an operation.
type Ask<T> = fn(OperationRef) -> T;

/// Asks something about an operand of an operation.
type AskOperand<T> = fn(OperationRef, usize) -> T;

/// Answers for the operations of a dialect that has no C++: defined in Rust or in IRDL.
///
/// What isn't given isn't implemented.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterfaceModel {
    /// What an operation may raise.
    pub raises: Option<Ask<Raises>>,
    /// Whether it reads and whether it writes the memory of an operand.
    pub accesses: Option<AskOperand<(bool, bool)>>,
    /// Whether its results are their users' own, and whether it consumes an operand.
    pub ownership: Option<(Ask<bool>, AskOperand<bool>)>,
    /// The operand that its result is a view of.
    pub view_source: Option<Ask<usize>>,
    /// Whether it may be executed where the program wouldn't: whatever its operands are, it is
    /// defined. Without this, and without effects, it is still removed and merged, but not moved.
    pub speculatable: Option<Ask<bool>>,
    /// How long it takes, in simple operations; `None` where it may take any time.
    pub cost: Option<Ask<Option<i64>>>,
    /// Whether it is a loop over its regions.
    pub is_loop: bool,
    /// Whether it works on whole arrays and becomes a loop over elements.
    pub is_element_loop: bool,
}

impl InterfaceModel {
    /// One that implements nothing; for use with `..` in a table.
    pub const NONE: Self = Self {
        raises: None,
        accesses: None,
        ownership: None,
        view_source: None,
        speculatable: None,
        cost: None,
        is_loop: false,
        is_element_loop: false,
    };

    /// Attaches the answers to an operation, for good: the model must be a constant. Whether the
    /// operation is known; its dialect must be loaded.
    pub fn attach(&'static self, context: &Context, name: &str) -> bool {
        let callbacks = Callbacks {
            raises: self.raises.map(|_| raises as _),
            accesses: self.accesses.map(|_| accesses as _),
            owns_result: self.ownership.map(|_| owns_result as _),
            consumes_operand: self.ownership.map(|_| consumes_operand as _),
            view_source: self.view_source.map(|_| view_source as _),
            speculatable: self.speculatable.map(|_| speculatable as _),
            cost: self.cost.map(|_| cost as _),
            is_loop: self.is_loop,
            is_element_loop: self.is_element_loop,
            data: std::ptr::from_ref(self).cast_mut().cast(),
        };
        // SAFETY: context and name are valid, and the model lives for ever.
        unsafe { pyoptAttachInterfaces(context.to_raw(), raw_str(name), &raw const callbacks) }
    }
}

/// The model behind a callback, and the operation it is asked for.
///
/// # Safety
///
/// `data` must be what [`InterfaceModel::attach`] has handed over, and the operation valid.
unsafe fn asked<'a>(
    operation: MlirOperation,
    data: *mut c_void,
) -> (&'static InterfaceModel, OperationRef<'a, 'a>) {
    // SAFETY: as above.
    unsafe { (&*data.cast(), OperationRef::from_raw(operation)) }
}

unsafe extern "C" fn raises(operation: MlirOperation, data: *mut c_void) -> c_int {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    model.raises.map_or(Raises::Anything, |ask| ask(operation)) as c_int
}

unsafe extern "C" fn accesses(
    operation: MlirOperation,
    operand: c_uint,
    data: *mut c_void,
) -> c_int {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    let accesses = model.accesses.map(|ask| ask(operation, operand as usize));
    let (reads, writes) = accesses.unwrap_or((true, true));
    c_int::from(reads) | c_int::from(writes) << 1
}

unsafe extern "C" fn owns_result(operation: MlirOperation, _: c_uint, data: *mut c_void) -> bool {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    model.ownership.is_some_and(|(owns, _)| owns(operation))
}

unsafe extern "C" fn consumes_operand(
    operation: MlirOperation,
    operand: c_uint,
    data: *mut c_void,
) -> bool {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    let consumes = model.ownership.map(|(_, consumes)| consumes);
    consumes.is_some_and(|consumes| consumes(operation, operand as usize))
}

unsafe extern "C" fn view_source(operation: MlirOperation, data: *mut c_void) -> MlirValue {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    let source = model.view_source.expect("attached with this function")(operation);
    operation.operand_value(source).to_raw()
}

unsafe extern "C" fn speculatable(operation: MlirOperation, data: *mut c_void) -> bool {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    model.speculatable.is_some_and(|ask| ask(operation))
}

unsafe extern "C" fn cost(operation: MlirOperation, data: *mut c_void) -> i64 {
    // SAFETY: the glue hands back what it was given.
    let (model, operation) = unsafe { asked(operation, data) };
    model.cost.and_then(|ask| ask(operation)).unwrap_or(-1)
}
