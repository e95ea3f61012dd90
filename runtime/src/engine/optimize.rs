//! The optimisation tiers and their pass pipelines.

use std::ffi::{CStr, CString};

use llvm_sys::{
    LLVMLinkage,
    core::{
        LLVMDeleteFunction, LLVMGetFirstFunction, LLVMGetFirstUse, LLVMGetLinkage,
        LLVMGetNextFunction,
    },
    target_machine::LLVMCodeGenOptLevel,
    transforms::pass_builder::*,
};

use crate::fork::FirstGuarded;

use super::{
    conversions::use_machine_conversions,
    error::{EngineError, Phase, check},
    module::LlvmModule,
    remarks::Remark,
    target::{TargetMachine, with_machine},
};

/// How much work goes into a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// No optimisation and the fast instruction selector.
    None = 0,
    /// Our own short vectorising pipeline: the first tier of code with loops.
    Lean = 1,
    /// LLVM's `default<O3>`, for code that stays hot.
    O3 = 2,
}

/// The lean pipeline, in LLVM's textual form: calls and promotion to registers first, then loops
/// into canonical form, then vectors, then what vectorisation leaves behind.
///
/// It was cut down from `default<O3>` by measuring (`examples/tiers.rs`); code generation, the same
/// for both, takes longer than either. What looks odd but is needed: expectations become weights
/// before anything looks through them; correlated propagation turns the signed remainders of
/// Python's `%` and `//` into unsigned ones, which vectorise; loop load elimination keeps `a[i - 1]`
/// of a recurrence in a register; jump threading undoes the flags of loops that `break` leaves; a load that the turn
/// before has done is taken from there only behind the vectoriser, which makes shuffles of values that turns hand
/// on. Loops of unknown trip count are not unrolled: most of the benchmarks'
/// kernels gain by that, a matrix product by three loops takes up to half as long again, and the
/// unrolled scalar rest of every vectorised loop took half of the time of code generation.
const LEAN: &str = "\
inferattrs,\
cgscc(inline<only-mandatory>,inline),\
globaldce,\
function<eager-inv>(\
lower-expect,sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
jump-threading,simplifycfg,\
loop-mssa(loop-instsimplify,loop-simplifycfg,loop-rotate<header-duplication>,\
licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),\
simplifycfg,instcombine<no-verify-fixpoint>,\
loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),\
sroa<modify-cfg>,gvn<no-load-pre>,correlated-propagation,instcombine<no-verify-fixpoint>,dse,\
loop-mssa(licm<allowspeculation>),\
loop-vectorize,\
loop-load-elim,gvn,instcombine<no-verify-fixpoint>,\
simplifycfg<forward-switch-cond;switch-to-lookup>,\
slp-vectorizer,vector-combine,instcombine<no-verify-fixpoint>,\
loop-unroll<O2;no-runtime>,sroa<preserve-cfg>,early-cse,instcombine<no-verify-fixpoint>,\
loop-mssa(licm<allowspeculation>),\
simplifycfg)";

impl Tier {
    /// The pass pipeline, in LLVM's textual form; none for [`Tier::None`].
    pub fn pipeline(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Lean => Some(LEAN),
            Self::O3 => Some("default<O3>"),
        }
    }

    /// The name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lean => "lean",
            Self::O3 => "O3",
        }
    }

    pub(super) fn codegen_level(self) -> LLVMCodeGenOptLevel {
        match self {
            Self::None => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Self::Lean => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            Self::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        }
    }
}

/// Verifies a module and optimises it for the host.
pub fn optimize(module: &mut LlvmModule, tier: Tier) -> Result<(), EngineError> {
    match tier.pipeline() {
        Some(pipeline) => run_pipeline(module, pipeline, tier)?,
        None => module.verify()?,
    }
    drop_unused_variants(module);
    use_machine_conversions(module);
    Ok(())
}

/// Does the same, and gives what LLVM remarks on loops meanwhile. Debug locations of the module say
/// which loops these are.
pub fn optimize_with_remarks(
    module: &mut LlvmModule,
    tier: Tier,
) -> Result<Vec<Remark>, EngineError> {
    module.context().collect_remarks();
    optimize(module, tier)?;
    Ok(module.context().take_remarks())
}

/// Removes weak functions that nothing calls: vector variants of functions, which had to be there
/// until loops were vectorised.
fn drop_unused_variants(module: &mut LlvmModule) {
    // SAFETY: the module is borrowed exclusively and live; the next function is found before one
    // without uses is deleted.
    unsafe {
        let mut next = LLVMGetFirstFunction(module.as_raw());
        while !next.is_null() {
            let function = next;
            next = LLVMGetNextFunction(function);
            if LLVMGetLinkage(function) == LLVMLinkage::LLVMWeakODRLinkage
                && LLVMGetFirstUse(function).is_null()
            {
                LLVMDeleteFunction(function);
            }
        }
    }
}

/// Verifies a module and runs a pipeline in LLVM's textual form over it, tuned for the host.
pub fn run_pipeline(
    module: &mut LlvmModule,
    pipeline: &str,
    tier: Tier,
) -> Result<(), EngineError> {
    module.verify()?;
    let pipeline = CString::new(pipeline)
        .map_err(|_| EngineError::new(Phase::Optimize, "the pipeline holds a null byte"))?;
    // LLVM makes tables of its passes when they are first used, under locks of its own.
    static FIRST: [FirstGuarded; 3] = [const { FirstGuarded::new() }; 3];
    with_machine(tier, |machine| {
        FIRST[tier as usize].run(|| run_passes(module, &pipeline, machine))
    })
}

/// Runs a pipeline over a verified module, tuned for a machine.
pub(super) fn run_passes(
    module: &mut LlvmModule,
    pipeline: &CStr,
    machine: &mut TargetMachine,
) -> Result<(), EngineError> {
    // SAFETY: the module is borrowed exclusively and live.
    unsafe { machine.adopt(module.as_raw()) };
    // SAFETY: module, machine, pipeline and options are live; the returned error is ours.
    let result = unsafe {
        let options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
        LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
        LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
        // Off by default, unlike in clang.
        LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
        let error = LLVMRunPasses(
            module.as_raw(),
            pipeline.as_ptr(),
            machine.as_raw(),
            options,
        );
        LLVMDisposePassBuilderOptions(options);
        check(error, Phase::Optimize)
    };
    result.and_then(|()| module.context().check_diagnostics(Phase::Optimize))
}
