//! Where things are: the workspace's folders, the Python environment and LLVM's installation.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};

/// The folder LLVM and MLIR 22 are installed in, unless `MLIR_SYS_220_PREFIX` names another.
const DEBIAN_LLVM_PREFIX: &str = "/usr/lib/llvm-22";

/// The CPython of `target/venv`: the tools' tests and everything else run in it.
pub const MAIN_PYTHON: &str = "3.11";

/// All that the package can be built for; a `t` is for a build without a global lock.
pub const PYTHONS: &[&str] = &["3.10", "3.11", "3.12", "3.13", "3.14", "3.14t", "3.15"];

/// The checkout this binary was built from.
pub struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// The CPython that the package is built for and tested in, as in `3.11`.
    pub python: String,
}

impl Workspace {
    /// Finds the workspace from the place this crate was built in.
    pub fn locate() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .context("tools/xtask is not two folders below the workspace root")?;
        Ok(Self {
            root: root.to_path_buf(),
            python: MAIN_PYTHON.to_owned(),
        })
    }

    /// The same checkout, with the package built for a version of CPython.
    pub fn with_python(&self, version: &str) -> Self {
        Self {
            root: self.root.clone(),
            python: version.to_owned(),
        }
    }

    /// Whether the package is built for the CPython of everything else.
    pub fn has_main_python(&self) -> bool {
        self.python == MAIN_PYTHON
    }

    /// Cargo's target folder; built things are expected here, so it can't be moved. Builds for other
    /// versions of CPython have a folder each in it, as the extension has the same name in all.
    pub fn target(&self) -> PathBuf {
        let target = self.root.join("target");
        match self.has_main_python() {
            true => target,
            false => target.join(format!("python{}", self.python)),
        }
    }

    /// The folder of release builds for the main CPython.
    pub fn main_release(&self) -> PathBuf {
        self.root.join("target/release")
    }

    /// The folder of release builds.
    pub fn release(&self) -> PathBuf {
        self.target().join("release")
    }

    /// The Python environment.
    pub fn venv(&self) -> PathBuf {
        self.target().join("venv")
    }

    /// A program of the Python environment.
    pub fn venv_program(&self, name: &str) -> PathBuf {
        self.venv().join("bin").join(name)
    }

    /// The file that keeps the output of a captured step.
    pub fn log(&self, name: &str) -> PathBuf {
        self.target().join("xtask").join(format!("{name}.log"))
    }

    /// A program of LLVM 22.
    pub fn llvm_program(&self, name: &str) -> PathBuf {
        self.llvm_prefix().join("bin").join(name)
    }

    /// The folder LLVM and MLIR 22 are installed in.
    pub fn llvm_prefix(&self) -> PathBuf {
        env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| DEBIAN_LLVM_PREFIX.into(), PathBuf::from)
    }

    /// A cargo command in this workspace.
    pub fn cargo(&self) -> Command {
        self.building(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A command that builds in this workspace: cargo, or what runs it.
    ///
    /// `cargo run` describes xtask's own package in the environment; passed on, that would make
    /// build scripts that watch those variables run again. PyO3 has to build for the interpreter
    /// of `target/venv`, whichever `python3` comes first on `PATH`.
    pub fn building(&self, program: impl AsRef<OsStr>) -> Command {
        self.settle_mlir_sys();
        let mut command = Command::new(program);
        let own = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
            "CARGO_PRIMARY_",
        ];
        for (name, _) in env::vars_os() {
            if own
                .iter()
                .any(|prefix| name.to_string_lossy().starts_with(prefix))
            {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.target())
            .env("PYO3_PYTHON", self.venv_program("python"));
        command
    }

    /// Makes a build of mlir-sys stay built.
    ///
    /// Its build script writes a file that it also watches, later than cargo's time stamp of the
    /// run: the next build would compile it and everything above it again, half a minute for
    /// nothing, three minutes with `cargo check`. Dating the file back ends that; without it builds are
    /// slow, not wrong.
    fn settle_mlir_sys(&self) {
        let profiles = [self.release(), self.target().join("debug")];
        let builds = profiles.map(|profile| std::fs::read_dir(profile.join("build")));
        for build in builds.into_iter().flatten().flatten().flatten() {
            if build.file_name().to_string_lossy().starts_with("mlir-sys-") {
                let header = build.path().join("out").join("wrapper.h");
                if let Ok(file) = File::options().write(true).open(header) {
                    let _ = file.set_modified(SystemTime::UNIX_EPOCH);
                }
            }
        }
    }

    /// The environment's Python, able to import the `bench` package.
    pub fn bench_python(&self) -> Command {
        self.python(&self.root)
    }

    /// The environment's Python, able to import the packages of a folder.
    pub fn python(&self, packages: &Path) -> Command {
        let mut command = Command::new(self.venv_program("python"));
        command.env("PYTHONPATH", packages);
        command
    }
}
