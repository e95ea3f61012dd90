//! Builds that stay built.

use std::{
    env,
    fs::{self, File},
    path::Path,
    time::SystemTime,
};

/// Makes the build of mlir-sys that a build script's crate depends on stay built.
///
/// Its build script writes a file that it also watches, later than cargo's time stamp of the run: the next
/// build would compile it and everything above it again. Dating the file back ends that; where it can't be
/// done, builds are slow, not wrong.
pub(crate) fn settle_mlir_sys() {
    let output = env::var_os("OUT_DIR");
    let builds = output
        .as_ref()
        .and_then(|output| Path::new(output).ancestors().nth(2));
    let builds = builds.and_then(|builds| fs::read_dir(builds).ok());
    for build in builds.into_iter().flatten().flatten() {
        if build.file_name().to_string_lossy().starts_with("mlir-sys-") {
            let header = build.path().join("out").join("wrapper.h");
            if let Ok(file) = File::options().write(true).open(header) {
                let _ = file.set_modified(SystemTime::UNIX_EPOCH);
            }
        }
    }
}
