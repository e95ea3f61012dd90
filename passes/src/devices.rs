//! What devices are to the compiler: for each driver, by its name, which loops it takes and how these
//! become code for it. Pyopt's own are here; extensions register others.

use crate::analysis::nest::Nest;
use pyopt_driver::Driver;
use std::sync::{PoisonError, RwLock};

/// A kind of devices: those of one driver.
pub struct DeviceSpec {
    /// The driver's name, the first part of its devices' names.
    pub name: &'static str,
    /// The code that its devices take: [`SPIRV`], [`PTX`] or [`LLVM`], or else what `passes` make.
    pub code: &'static str,
    /// The passes that make code of kernels, functions of LLVM's dialect that are marked `pyopt.device`, as in a
    /// textual pipeline; for a code of the device's own alone. They leave it in the module's attribute
    /// `pyopt.image`, a string, and no operations.
    pub passes: &'static str,
    /// The passes that make kernels of parallel loops, in the place of `parfor-to-gpu`, as in a textual pipeline; nothing for
    /// that. They leave `parfor.offload`, and a module marked `pyopt.device` with functions of
    /// typed operations.
    pub outline: &'static str,
    /// The operators and functions of floats that devices don't have, by their names in
    /// `typed.unary` and `typed.binary`.
    pub lacks: &'static [&'static str],
    /// Whether devices take a loop that could be a kernel; the error says why not.
    pub accepts: &'static Accepts,
    /// What finds devices, for a driver that an extension has.
    pub driver: Option<&'static dyn Driver>,
}

/// A condition on loops.
pub type Accepts = dyn for<'c, 'a> Fn(&Nest<'c, 'a>) -> Result<(), String> + Sync;

/// A SPIR-V module in the form of OpenCL.
pub const SPIRV: &str = "spirv";

/// The text of NVIDIA's virtual assembly.
pub const PTX: &str = "ptx";

/// LLVM's IR as text, for the host's processor: `pyopt_driver::host` says what its kernels are called with.
pub const LLVM: &str = "llvm";

impl DeviceSpec {
    /// One that takes all loops and has no name; for use with `..` in a table.
    pub const NONE: Self = Self {
        name: "",
        code: LLVM,
        passes: "",
        outline: "",
        lacks: &[],
        accepts: &|_| Ok(()),
        driver: None,
    };
}

static OPENCL: DeviceSpec = DeviceSpec {
    name: "opencl",
    code: SPIRV,
    ..DeviceSpec::NONE
};

static CUDA: DeviceSpec = DeviceSpec {
    name: "cuda",
    code: PTX,
    ..DeviceSpec::NONE
};

static KNOWN: RwLock<Vec<&DeviceSpec>> = RwLock::new(Vec::new());

/// All kinds of devices, pyopt's own first.
pub fn all() -> Vec<&'static DeviceSpec> {
    let added = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    [&OPENCL, &CUDA]
        .into_iter()
        .chain(added.iter().copied())
        .collect()
}

/// The devices of a name; the error lists those that there are.
pub fn find(name: &str) -> Result<&'static DeviceSpec, String> {
    let all = all();
    all.iter()
        .find(|one| one.name == name)
        .copied()
        .ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|one| one.name).collect();
            format!(
                "there is no device '{name}': there are {}",
                names.join(", ")
            )
        })
}

/// Adds devices, whose name isn't taken.
pub(crate) fn add(spec: &'static DeviceSpec) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.push(spec);
}

/// The code that devices of a name take; nothing for one that there isn't.
pub(crate) fn code(name: &str) -> String {
    find(name).map_or_else(|_| String::new(), |spec| spec.code.to_owned())
}

/// What devices of a name lack, as an option of `parfor-to-gpu`.
pub(crate) fn lacks(name: &str) -> String {
    find(name).map_or_else(|_| String::new(), |spec| spec.lacks.join(","))
}

/// The passes that outline loops for a device in its own way.
pub(crate) fn outline(name: &str) -> String {
    find(name).map_or_else(|_| String::new(), |spec| spec.outline.to_owned())
}

/// Whether loops for a device are outlined as for pyopt's own.
pub(crate) fn is_outlined_here(name: &str) -> bool {
    find(name).map_or(true, |spec| spec.outline.is_empty())
}

/// The passes that make a device's own code. For a device that there isn't, what says so.
pub(crate) fn passes(name: &str) -> String {
    match find(name) {
        Ok(spec) => spec.passes.to_owned(),
        Err(_) => format!("parfor-to-gpu{{device={name}}}"),
    }
}
