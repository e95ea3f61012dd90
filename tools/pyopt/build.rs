//! Exports the tool's symbols, for plugins that link no MLIR of their own.

fn main() {
    println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic");
}
