fn main() {
    pyopt_passes::tool::main("scale-opt", &[&scale::SCALE], &pyopt_library_bytecode::LIBRARY);
}
