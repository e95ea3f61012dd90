fn main() {
    pyopt_build::dialects(&["dice"]);
}
