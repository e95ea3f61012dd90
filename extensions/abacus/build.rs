fn main() {
    pyopt_build::plugin();
}
