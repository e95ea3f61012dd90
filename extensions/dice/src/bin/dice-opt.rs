fn main() {
    pyopt_passes::tool::main("dice-opt", &[&dice::DICE], &pyopt_library_bytecode::LIBRARY);
}
