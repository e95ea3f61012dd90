//! Chooses the tier a module is first compiled at.

use std::{collections::HashMap, iter, slice};

use llvm_sys::{
    core::{
        LLVMGetBasicBlockTerminator, LLVMGetCalledValue, LLVMGetFirstBasicBlock,
        LLVMGetFirstFunction, LLVMGetFirstInstruction, LLVMGetNextBasicBlock, LLVMGetNextFunction,
        LLVMGetNextInstruction, LLVMGetNumSuccessors, LLVMGetSuccessor, LLVMGetValueName2,
        LLVMIsACallInst, LLVMIsAFunction, LLVMIsAInvokeInst,
    },
    prelude::{LLVMBasicBlockRef, LLVMValueRef},
};

use super::{Tier, module::LlvmModule};

/// [`Tier::None`] for a module in which nothing runs more than once per call: there optimising
/// takes longer than the calls it would speed up. [`Tier::Lean`] for everything else, and where code
/// lends its caller a place on the stack, which has to become part of it.
pub fn first_tier(module: &LlvmModule) -> Tier {
    let mut calls = HashMap::new();
    // SAFETY: the module is live, and borrowed while its functions and blocks are walked.
    let functions = unsafe {
        let next = |&function: &LLVMValueRef| not_null(LLVMGetNextFunction(function));
        iter::successors(not_null(LLVMGetFirstFunction(module.as_raw())), next)
    };
    for function in functions {
        // SAFETY: as above; a function has a name.
        let lends = unsafe {
            let mut length = 0;
            let name = LLVMGetValueName2(function, &raw mut length);
            slice::from_raw_parts(name.cast::<u8>(), length).starts_with(b"llvm.lifetime.")
        };
        if lends {
            return Tier::Lean;
        }
        // SAFETY: as above.
        match unsafe { straight_callees(function) } {
            Some(callees) => calls.insert(function, callees),
            None => return Tier::Lean,
        };
    }
    let mut states = HashMap::new();
    if calls
        .keys()
        .any(|&function| recurses(function, &calls, &mut states))
    {
        Tier::Lean
    } else {
        Tier::None
    }
}

fn not_null<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// The functions a function calls; none if it may loop or calls what is not known.
///
/// # Safety
///
/// `function` belongs to a live module that nobody changes.
unsafe fn straight_callees(function: LLVMValueRef) -> Option<Vec<LLVMValueRef>> {
    // SAFETY: the caller's promise, here and below.
    let blocks: Vec<LLVMBasicBlockRef> = unsafe {
        let next = |&block: &LLVMBasicBlockRef| not_null(LLVMGetNextBasicBlock(block));
        iter::successors(not_null(LLVMGetFirstBasicBlock(function)), next).collect()
    };
    let positions: HashMap<_, _> = (0..).zip(&blocks).map(|(at, &block)| (block, at)).collect();
    let mut callees = Vec::new();
    for (position, &block) in (0..).zip(&blocks) {
        // SAFETY: see above.
        let terminator = unsafe { LLVMGetBasicBlockTerminator(block) };
        // SAFETY: a verified block has a terminator.
        for index in 0..unsafe { LLVMGetNumSuccessors(terminator) } {
            // SAFETY: the index is below the number of successors.
            let successor = unsafe { LLVMGetSuccessor(terminator, index) };
            // Whatever order the blocks are in, a loop has an edge that does not lead forward.
            if positions
                .get(&successor)
                .is_none_or(|&at: &usize| at <= position)
            {
                return None;
            }
        }
        // SAFETY: see above.
        let instructions = unsafe {
            let next = |&at: &LLVMValueRef| not_null(LLVMGetNextInstruction(at));
            iter::successors(not_null(LLVMGetFirstInstruction(block)), next)
        };
        for instruction in instructions {
            // SAFETY: see above; only calls have a called value.
            let callee = unsafe {
                let call = not_null(LLVMIsACallInst(instruction))
                    .or_else(|| not_null(LLVMIsAInvokeInst(instruction)));
                match call {
                    Some(call) => not_null(LLVMIsAFunction(LLVMGetCalledValue(call)))?,
                    None => continue,
                }
            };
            callees.push(callee);
        }
    }
    Some(callees)
}

/// Whether a function can reach a cycle of calls. `states` holds false for those being walked.
fn recurses(
    function: LLVMValueRef,
    calls: &HashMap<LLVMValueRef, Vec<LLVMValueRef>>,
    states: &mut HashMap<LLVMValueRef, bool>,
) -> bool {
    match states.get(&function) {
        Some(&done) => return !done,
        None => states.insert(function, false),
    };
    let callees = calls.get(&function).into_iter().flatten();
    for &callee in callees {
        if recurses(callee, calls, states) {
            return true;
        }
    }
    states.insert(function, true);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tier_of(text: &str) -> Tier {
        first_tier(&LlvmModule::from_ir(text).unwrap())
    }

    #[test]
    fn straight_code_with_branches_and_calls_is_not_optimised() {
        let text = "declare double @sin(double)
        define internal double @g(double %x) { %r = call double @sin(double %x) ret double %r }
        define double @f(double %x, i1 %c) {
          br i1 %c, label %a, label %b
        a:
          %y = call double @g(double %x)
          br label %b
        b:
          %r = phi double [ %x, %0 ], [ %y, %a ]
          ret double %r
        }";
        assert_eq!(tier_of(text), Tier::None);
    }

    #[test]
    fn code_that_lends_a_place_on_the_stack_is_inlined() {
        let text = "declare void @llvm.lifetime.start.p0(ptr)
        define internal ptr @g() alwaysinline {
          %p = alloca i64
          call void @llvm.lifetime.start.p0(ptr %p)
          ret ptr %p
        }
        define ptr @f() { %p = call ptr @g() ret ptr %p }";
        assert_eq!(tier_of(text), Tier::Lean);
    }

    #[test]
    fn loops_recursion_and_unknown_calls_are_optimised() {
        let spin = "define void @f() { br label %a a: br label %a }";
        let backward = "define void @f(i1 %c) {
          br label %b
        a:
          ret void
        b:
          br i1 %c, label %a, label %d
        d:
          br label %b
        }";
        let mutual = "define void @f() { call void @g() ret void }
        define void @g() { call void @f() ret void }";
        let indirect = "define void @f(ptr %p) { call void %p() ret void }";
        for text in [spin, backward, mutual, indirect] {
            assert_eq!(tier_of(text), Tier::Lean, "{text}");
        }
    }
}
