//! The mlir-opt of pyopt: all of upstream's dialects and passes, and ours.

fn main() {
    pyopt_passes::tool::main("pyopt", &[], &pyopt_library_bytecode::LIBRARY)
}
