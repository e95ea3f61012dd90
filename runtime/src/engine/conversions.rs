//! Conversions of floats to integers by the processor's own instruction, where it gives what they give.
//!
//! Out of range LLVM's `fptosi` is poison, so compiled code converts a number that is in range: the least
//! integer's where the number doesn't fit or is NaN. x86 gives just that for those, but code generation
//! doesn't know, and keeps the comparison. This can't be said earlier, since loops with intrinsics of a
//! target aren't vectorised.
//!
//! **Soundness.** `cvttsd2si` and its relatives truncate, and give the least integer where the result
//! doesn't fit or the number is NaN (Intel, Software Developer's Manual). With `b` the magnitude of the
//! least integer, `|x| < b` fits, `x = -b` gives the least integer either way, and any other `x` with
//! `|x| >= b` doesn't fit, or truncates to the least integer.

use std::iter;

use llvm_sys::{
    LLVMOpcode, LLVMRealPredicate, LLVMTypeKind,
    core::*,
    prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef},
};

use super::module::LlvmModule;

/// Uses the processor's conversions in the place of guarded ones.
pub(super) fn use_machine_conversions(module: &mut LlvmModule) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    // SAFETY: the module is borrowed exclusively and live; all conversions are found before the first one
    // is replaced, and each is replaced once.
    unsafe {
        let found: Vec<_> = functions(module.as_raw())
            .flat_map(|function| {
                let block = not_null(LLVMGetFirstBasicBlock(function));
                iter::successors(block, |block| not_null(LLVMGetNextBasicBlock(*block)))
            })
            .flat_map(|block| {
                let first = not_null(LLVMGetFirstInstruction(block));
                iter::successors(first, |one| not_null(LLVMGetNextInstruction(*one)))
            })
            .filter_map(|instruction| Guarded::of(instruction))
            .collect();
        if found.is_empty() {
            return;
        }
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module.as_raw()));
        for conversion in found {
            conversion.replace(module.as_raw(), builder);
        }
        LLVMDisposeBuilder(builder);
    }
}

fn not_null<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// # Safety
///
/// The module is live, and none of its functions are removed meanwhile.
unsafe fn functions(module: LLVMModuleRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: the caller's promise.
    let next = |function: &LLVMValueRef| not_null(unsafe { LLVMGetNextFunction(*function) });
    // SAFETY: likewise.
    iter::successors(not_null(unsafe { LLVMGetFirstFunction(module) }), next)
}

/// `fptosi (select (fcmp olt (fabs x), b), x, -b)`, where `-b` is the least integer.
struct Guarded {
    conversion: LLVMValueRef,
    number: LLVMValueRef,
    /// The intrinsic's name, and the vector type of its operand.
    intrinsic: &'static str,
    vector: LLVMTypeRef,
}

impl Guarded {
    /// # Safety
    ///
    /// The instruction belongs to a live module that nobody changes.
    unsafe fn of(conversion: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller's promise; each value is asked for what its opcode says that it has.
        unsafe {
            if LLVMGetInstructionOpcode(conversion) != LLVMOpcode::LLVMFPToSI {
                return None;
            }
            let choice = instruction(LLVMGetOperand(conversion, 0), LLVMOpcode::LLVMSelect)?;
            let test = instruction(LLVMGetOperand(choice, 0), LLVMOpcode::LLVMFCmp)?;
            let number = LLVMGetOperand(choice, 1);
            let to = LLVMTypeOf(conversion);
            let from = LLVMTypeOf(number);
            if LLVMGetTypeKind(to) != LLVMTypeKind::LLVMIntegerTypeKind {
                return None;
            }
            let (lanes, names) = match LLVMGetTypeKind(from) {
                LLVMTypeKind::LLVMDoubleTypeKind => {
                    (2, ["llvm.x86.sse2.cvttsd2si", "llvm.x86.sse2.cvttsd2si64"])
                }
                LLVMTypeKind::LLVMFloatTypeKind => {
                    (4, ["llvm.x86.sse.cvttss2si", "llvm.x86.sse.cvttss2si64"])
                }
                _ => return None,
            };
            let width = LLVMGetIntTypeWidth(to);
            let intrinsic = match width {
                32 => names[0],
                64 => names[1],
                _ => return None,
            };
            let bound = (2.0_f64).powi(width as i32 - 1);
            let is_test = LLVMGetFCmpPredicate(test) == LLVMRealPredicate::LLVMRealOLT
                && is_magnitude(LLVMGetOperand(test, 0), number)
                && constant(LLVMGetOperand(test, 1)) == Some(bound)
                && constant(LLVMGetOperand(choice, 2)) == Some(-bound);
            is_test.then(|| Self {
                conversion,
                number,
                intrinsic,
                vector: LLVMVectorType(from, lanes),
            })
        }
    }

    /// Puts the processor's conversion in the place of this one, and removes what only that used.
    ///
    /// # Safety
    ///
    /// The module is live, the instruction is in it, and the builder is of its context.
    unsafe fn replace(self, module: LLVMModuleRef, builder: LLVMBuilderRef) {
        // SAFETY: the caller's promise; the intrinsic takes the vector, of which it reads the first lane.
        unsafe {
            let name = self.intrinsic;
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let callee = LLVMGetIntrinsicDeclaration(module, id, std::ptr::null_mut(), 0);
            let context = LLVMGetModuleContext(module);
            let r#type = LLVMIntrinsicGetType(context, id, std::ptr::null_mut(), 0);
            LLVMPositionBuilderBefore(builder, self.conversion);
            let first = LLVMConstInt(LLVMInt64TypeInContext(context), 0, 0);
            let none = LLVMGetPoison(self.vector);
            let mut lanes = LLVMBuildInsertElement(builder, none, self.number, first, c"".as_ptr());
            let made = LLVMBuildCall2(builder, r#type, callee, &raw mut lanes, 1, c"".as_ptr());
            let choice = LLVMGetOperand(self.conversion, 0);
            LLVMReplaceAllUsesWith(self.conversion, made);
            LLVMInstructionEraseFromParent(self.conversion);
            let mut unused = Some(choice);
            while let Some(one) = unused.filter(|one| LLVMGetFirstUse(*one).is_null()) {
                // The condition of the choice, and the magnitude in it.
                let operand = LLVMGetOperand(one, 0);
                unused = (operand != self.number).then_some(operand);
                LLVMInstructionEraseFromParent(one);
            }
        }
    }
}

/// The value, if it is an instruction of a kind.
///
/// # Safety
///
/// The value belongs to a live module.
unsafe fn instruction(value: LLVMValueRef, opcode: LLVMOpcode) -> Option<LLVMValueRef> {
    // SAFETY: the caller's promise; only instructions are asked for their opcode.
    unsafe {
        let instruction = not_null(LLVMIsAInstruction(value))?;
        (LLVMGetInstructionOpcode(instruction) == opcode).then_some(instruction)
    }
}

/// Whether a value is the magnitude of a number.
///
/// # Safety
///
/// The values belong to a live module.
unsafe fn is_magnitude(value: LLVMValueRef, number: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; only calls have a callee.
    unsafe {
        let Some(call) = instruction(value, LLVMOpcode::LLVMCall) else {
            return false;
        };
        let Some(callee) = not_null(LLVMIsAFunction(LLVMGetCalledValue(call))) else {
            return false;
        };
        let fabs = "llvm.fabs";
        LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(fabs.as_ptr().cast(), fabs.len())
            && LLVMGetOperand(call, 0) == number
    }
}

/// The number that a value is, if it is a constant.
///
/// # Safety
///
/// The value belongs to a live module.
unsafe fn constant(value: LLVMValueRef) -> Option<f64> {
    // SAFETY: the caller's promise; only float constants are asked for their number.
    unsafe {
        let constant = not_null(LLVMIsAConstantFP(value))?;
        let mut is_rounded = 0;
        let number = LLVMConstRealGetDouble(constant, &mut is_rounded);
        (is_rounded == 0).then_some(number)
    }
}
