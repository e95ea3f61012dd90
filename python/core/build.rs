//! Exports what extensions that are loaded use, and leaves out what no device here runs.

fn main() {
    pyopt_build::export_for_plugins();
    pyopt_build::leave_out_targets();
}
