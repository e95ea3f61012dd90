fn main() {
    // What isn't linked against the package has an MLIR of its own, and is refused. There is a test of that.
    if std::env::var_os("CARGO_FEATURE_OWN_MLIR").is_none() {
        pyopt_build::plugin();
    }
}
