//! Attributes of upstream's dialects that their `.td` files don't declare, so that nothing is generated
//! for them: names that its C++ code looks up.

/// On an `llvm.func`: a kernel, as the `gpu` dialect marks it.
pub const GPU_KERNEL: &str = "gpu.kernel";
/// On an `llvm.func`: an entry point of PTX.
pub const NVVM_KERNEL: &str = "nvvm.kernel";
/// On a `func.func`: the linkage of the `llvm.func` that it becomes.
pub const LINKAGE: &str = "llvm.linkage";
/// On an argument or result: the pointer is the only one to its memory.
pub const NO_ALIAS: &str = "llvm.noalias";
/// On an argument or result: the pointer is a multiple of so many bytes.
pub const ALIGNMENT: &str = "llvm.align";
/// On an argument or result: there is memory of so many bytes at the pointer.
pub const DEREFERENCEABLE: &str = "llvm.dereferenceable";
/// On an argument: the function stores the pointer nowhere.
pub const NO_CAPTURE: &str = "llvm.nocapture";
/// On a `func.func`: the effects on memory of the `llvm.func` that it becomes.
pub const MEMORY_EFFECTS: &str = "memory_effects";
/// On a `func.func`: the `llvm.func` that it becomes throws nothing.
pub const NO_UNWIND: &str = "no_unwind";
/// On a `func.func`: the `llvm.func` that it becomes returns.
pub const WILL_RETURN: &str = "will_return";
