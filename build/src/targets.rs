//! Which of LLVM's code generators a library has.

use std::{env, path::PathBuf, process::Command};

/// What a target's library initialises.
const PARTS: &[&str] = &[
    "TargetInfo",
    "Target",
    "TargetMC",
    "AsmPrinter",
    "AsmParser",
];

/// Code generators of devices: `cuda` and `opencl`.
const OF_DEVICES: &[&str] = &["NVPTX", "SPIRV"];

/// Keeps LLVM's code generators for processors that are neither the host's nor a device's from being linked
/// into the library of a crate: a pass of upstream's, which are registered together, initialises all that
/// there are. They would be half of the module.
///
/// # Panics
///
/// Where LLVM's `llvm-config` doesn't run: the message is cargo's to show.
pub fn leave_out_targets() {
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let architecture = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets the architecture");
    let host = match &*architecture {
        "x86_64" => "X86",
        "aarch64" => "AArch64",
        // What others are called isn't known.
        _ => return,
    };
    let prefix = env::var_os("LLVM_SYS_221_PREFIX").map(PathBuf::from);
    let program = prefix.map_or("llvm-config".into(), |prefix| {
        prefix.join("bin/llvm-config")
    });
    let run = Command::new(&program).arg("--targets-built").output();
    let run = run.unwrap_or_else(|error| panic!("{} doesn't run: {error}", program.display()));
    for target in String::from_utf8_lossy(&run.stdout).split_whitespace() {
        if target == host || OF_DEVICES.contains(&target) {
            continue;
        }
        for part in PARTS {
            let symbol = format!("LLVMInitialize{target}{part}");
            println!("cargo::rustc-link-arg-cdylib=-Wl,--defsym={symbol}=pyopt_target_left_out");
        }
    }
}
