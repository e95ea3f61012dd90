fn main() {
    pyopt_passes::tool::main("dice-opt", &[&dice::DICE]);
}
