//! The optimisation tiers and their pass pipelines.

use std::ffi::CString;

use llvm_sys::{target_machine::LLVMCodeGenOptLevel, transforms::pass_builder::*};

use super::{
    error::{EngineError, Phase, check},
    module::LlvmModule,
    target::with_machine,
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

/// The lean pipeline, in LLVM's textual form. Promotion to registers and calls first, then loops
/// from canonical form to vector form, then what vectorisation leaves behind. Each pass is here
/// because leaving it out slowed a kernel down or kept one from vectorising; what `O3` has beyond
/// them (repeated CGSCC rounds, jump threading, aggressive folding) costs more than half its time
/// and gained nothing on numeric loops.
const LEAN: &str = "\
inferattrs,\
cgscc(inline<only-mandatory>,inline),\
globaldce,\
function<eager-inv>(\
sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,\
reassociate,\
loop-mssa(loop-instsimplify,loop-simplifycfg,loop-rotate<header-duplication>,\
licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),\
simplifycfg,instcombine<no-verify-fixpoint>,\
loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),\
sroa<modify-cfg>,gvn,sccp,instcombine<no-verify-fixpoint>,dse,\
loop-mssa(licm<allowspeculation>),\
simplifycfg,\
loop-mssa(loop-rotate<header-duplication>),\
inject-tli-mappings,\
loop-vectorize,\
loop-load-elim,instcombine<no-verify-fixpoint>,\
simplifycfg<forward-switch-cond;switch-to-lookup>,\
slp-vectorizer,vector-combine,instcombine<no-verify-fixpoint>,\
loop-unroll<O2>,sroa<preserve-cfg>,early-cse,instcombine<no-verify-fixpoint>,\
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

    pub(super) fn codegen_level(self) -> LLVMCodeGenOptLevel {
        match self {
            Self::None => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Self::Lean => if std::env::var_os("XL").is_some() {LLVMCodeGenOptLevel::LLVMCodeGenLevelLess} else {LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault},
            Self::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        }
    }
}

/// Verifies a module and optimises it for the host.
pub fn optimize(module: &mut LlvmModule, tier: Tier) -> Result<(), EngineError> {
    match tier.pipeline() {
        Some(pipeline) => run_pipeline(module, pipeline, tier),
        None => module.verify(),
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
    with_machine(tier, |machine| {
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
    })
}
