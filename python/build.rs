//! Hashes all that the extension is built from, as the version of what it keeps on disk.

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

fn main() -> Result<(), Box<dyn Error>> {
    let mut hash = blake3::Hasher::new();
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
