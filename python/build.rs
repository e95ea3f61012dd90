//! Says which CPython the extension is built for, links what not every system has into it, and hashes all
//! that it is built from, as the version of what it keeps on disk.

use std::{
    env,
    error::Error,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use walkdir::WalkDir;

const SOURCES: &[&str] = &[
    "../Cargo.lock",
    "../build",
    "../dialects",
    "../frontend/src",
    "../passes/build.rs",
    "../passes/glue",
    "../passes/library",
    "../passes/src",
    "../runtime/build.rs",
    "../runtime/lib",
    "../runtime/src",
    "pyopt/library",
    "src",
];

/// Libraries that LLVM needs and that a wheel brings with it: those of the user's system may be older or
/// missing. What is left to load are the C library and the unwinder.
const BUNDLED: &[&str] = &["libstdc++.a", "libz.a", "libzstd.a"];

/// The minor version of the CPython whose frames object mode runs functions on.
const OWN_FRAMES: u8 = 11;

fn main() -> Result<(), Box<dyn Error>> {
    pyo3_build_config::use_pyo3_cfgs();
    let config = pyo3_build_config::get();
    let minor = config.version().minor;
    let has_lock = !config.target_abi().kind().is_free_threaded();
    println!("cargo:rustc-env=PYOPT_PYTHON_MINOR={minor}");
    println!("cargo:rustc-check-cfg=cfg(own_frames)");
    if minor == OWN_FRAMES {
        println!("cargo:rustc-cfg=own_frames");
    }
    bundle_libraries()?;
    write_hash(minor, has_lock)
}

/// Has the linker find archives where it looks for libraries first; where there are none, shared libraries
/// are linked.
fn bundle_libraries() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("OUT_DIR")?).join("archives");
    fs::create_dir_all(&folder)?;
    let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    for name in BUNDLED {
        let asked = Command::new(&compiler)
            .arg(format!("-print-file-name={name}"))
            .output()?;
        let archive = PathBuf::from(String::from_utf8(asked.stdout)?.trim_end());
        let link = folder.join(name);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        // A name that it doesn't know comes back as it was.
        if archive.is_absolute() {
            symlink(archive, link)?;
        }
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rerun-if-env-changed=CXX");
    Ok(())
}

/// Hashes the sources, and the version, as the library is part of its bytecode, with whether it has a global
/// lock.
fn write_hash(minor: u8, has_lock: bool) -> Result<(), Box<dyn Error>> {
    let mut hash = blake3::Hasher::new();
    hash.update(&[minor, u8::from(has_lock)]);
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        for entry in WalkDir::new(source).sort_by_file_name() {
            let entry = entry?;
            let name = entry.path();
            // What the interpreter keeps beside its sources is made of them.
            if entry.file_type().is_file() && name.extension().is_none_or(|kind| kind != "pyc") {
                hash.update(name.as_os_str().as_encoded_bytes());
                hash.update(&fs::read(name)?);
            }
        }
    }
    println!("cargo:rustc-env=PYOPT_SOURCES={}", hash.finalize().to_hex());
    Ok(())
}
