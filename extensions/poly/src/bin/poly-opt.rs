fn main() {
    pyopt_passes::tool::main("poly-opt", &[&poly::POLY], &pyopt_library_bytecode::LIBRARY);
}
