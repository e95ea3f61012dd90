//! Says which CPython the extension is built for, and hashes all that it is built from, as the
//! version of what it keeps on disk.

use std::{error::Error, fs};

use walkdir::WalkDir;

const SOURCES: &[&str] = &[
    "../Cargo.lock",
    "../dialects",
    "../frontend/src",
    "../passes/build.rs",
    "../passes/build_library.py",
    "../passes/glue",
    "../passes/src",
    "../runtime/build.rs",
    "../runtime/lib",
    "../runtime/src",
    "pyopt/library",
    "src",
];

/// The minor version of the CPython whose frames object mode runs functions on.
const OWN_FRAMES: u8 = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let minor = pyo3_build_config::get().version().minor;
    println!("cargo:rustc-env=PYOPT_PYTHON_MINOR={minor}");
    println!("cargo:rustc-check-cfg=cfg(own_frames)");
    if minor == OWN_FRAMES {
        println!("cargo:rustc-cfg=own_frames");
    }
    write_hash(minor)
}

/// Hashes the sources, and the version, as the library is part of its bytecode.
fn write_hash(minor: u8) -> Result<(), Box<dyn Error>> {
    let mut hash = blake3::Hasher::new();
    hash.update(&[minor]);
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
